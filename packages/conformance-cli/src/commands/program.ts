import { Command } from "commander";
import { adapterCommand } from "./adapter.ts";
import { agentCommand } from "./agent.ts";
import { explainCommand } from "./explain.ts";
import { listCommand } from "./list.ts";
import { replayCommand } from "./replay.ts";
import { readVersion } from "./version.ts";

/** Every command, in the order of the help. */
const commands: readonly (() => Command)[] = [
  adapterCommand,
  agentCommand,
  replayCommand,
  listCommand,
  explainCommand,
];

const programHelp = `
Exit codes:
  0    every clause is kept, or is not claimed, or fails as expected
  1    a clause is broken, or an expected failure is not one any more
  2    the command could not be carried out: a module, an option or a file is wrong
  130  interrupted (143 by SIGTERM, 129 by SIGHUP); nothing is left running

Examples:
  conformance adapter ./my-adapter.js
  conformance agent -- node my-agent.js
  conformance list
  conformance explain stop.cut
  conformance help adapter
`;

/** The command line, `process.argv` still to be parsed; it throws `CommanderError` for wrong usage. */
export function createProgram(): Command {
  const conformance = new Command("conformance")
    .description(
      "Did a tool run that must not, did one not run that must, is the next request still valid?",
    )
    .version(readVersion())
    .addHelpText("after", programHelp)
    .showHelpAfterError("(conformance --help says what there is)")
    .exitOverride();
  for (const command of commands) {
    const one = command();
    conformance.addCommand(
      one
        .exitOverride()
        .showHelpAfterError(`(conformance ${one.name()} --help says what there is)`),
    );
  }
  return conformance;
}
