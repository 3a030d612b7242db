import { Command } from "commander";
import { readVersion } from "../version.ts";
import { adapterCommand } from "./adapter.ts";
import { agentCommand } from "./agent.ts";
import { explainCommand } from "./explain.ts";
import { gatewayCommand } from "./gateway.ts";
import { journalCommand } from "./journal.ts";
import { listCommand } from "./list.ts";
import { replayCommand } from "./replay.ts";

/** Every command, in the order of the help. */
const commands: readonly (() => Command)[] = [
  adapterCommand,
  agentCommand,
  replayCommand,
  gatewayCommand,
  journalCommand,
  listCommand,
  explainCommand,
];

const programHelp = `
Exit codes:
  0    every clause that must be kept is kept, not asked, not claimed, or broken as expected
  1    a clause that must be kept is broken, or with --strict any; or an expected failure is stale
  2    the command could not run: a module, an option or a file is wrong
  130  interrupted (143 by SIGTERM, 129 by SIGHUP); nothing is left running

Examples:
  conformance adapter ./my-adapter.js
  conformance agent -- node my-agent.js
  conformance gateway --front chat=http://127.0.0.1:4000/v1 --upstream-port 4999
  conformance journal ./my-journal.ts
  conformance list
  conformance explain stop.cut
  conformance help adapter
`;

/** Creates the command line. Parsing it throws a `CommanderError` for wrong usage. */
export function createProgram(): Command {
  const conformance = new Command("conformance")
    .description(
      "Did a tool run that must not, did one not run that must, is the next request still valid?",
    )
    .version(readVersion())
    .addHelpText("after", programHelp)
    .showHelpAfterError("(conformance --help lists the commands)")
    .exitOverride();
  for (const command of commands.map((createCommand) => createCommand())) {
    conformance.addCommand(
      command
        .exitOverride()
        .showHelpAfterError(`(conformance ${command.name()} --help lists its options)`),
    );
  }
  return conformance;
}
