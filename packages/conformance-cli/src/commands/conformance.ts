import { Command } from "commander";
import { adapterCommand } from "./adapter.ts";
import { agentCommand } from "./agent.ts";
import { explainCommand, listCommand } from "./explain.ts";
import { gatewayCommand } from "./gateway.ts";
import { hostCommand } from "./host.ts";
import { journalCommand } from "./journal.ts";
import { replayCommand } from "./replay.ts";

/** Every command, in the order of the help. */
const commands: readonly (() => Command)[] = [
  adapterCommand,
  agentCommand,
  replayCommand,
  gatewayCommand,
  hostCommand,
  journalCommand,
  listCommand,
  explainCommand,
];

const conformanceHelp = `
Exit codes:
  0    every clause that must be kept is kept, not asked, not claimed, or broken as expected
  1    a clause that must be kept is broken, or with --strict any; or an expected failure is stale
  2    the command could not run: a module, an option or a file is wrong
  130  interrupted (143 by SIGTERM, 129 by SIGHUP); nothing is left running

Examples:
  fullstop conformance adapter ./my-adapter.js
  fullstop conformance agent -- node my-agent.js
  fullstop conformance gateway --front chat=http://127.0.0.1:4000/v1 --upstream-port 4999
  fullstop conformance host http://127.0.0.1:8080/v1 --model any-name --yes
  fullstop conformance journal ./my-journal.ts
  fullstop conformance list
  fullstop conformance explain stop.cut
  fullstop conformance help adapter
`;

/** `fullstop conformance`. Parsing it throws a `CommanderError` for wrong usage. */
export function conformanceCommand(): Command {
  const conformance = new Command("conformance")
    .description(
      "Did a tool run that must not, did one not run that must, is the next request still valid?",
    )
    .addHelpText("after", conformanceHelp);
  for (const command of commands.map((createCommand) => createCommand())) {
    conformance.addCommand(
      command
        .exitOverride()
        .showHelpAfterError(`(see: fullstop conformance ${command.name()} --help)`),
    );
  }
  return conformance;
}
