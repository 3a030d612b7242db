import { Command } from "commander";
import { adapterCommand } from "./adapter.ts";
import { agentCommand } from "./agent.ts";
import { explainCommand, listCommand } from "./explain.ts";
import { gatewayCommand } from "./gateway.ts";
import { helpOf } from "./help.ts";
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

/** `fullstop conformance`. Parsing it throws a `CommanderError` for wrong usage. */
export function conformanceCommand(): Command {
  const conformance = new Command("conformance")
    .description(
      "Did a tool run that must not, did one not run that must, is the next request still valid?",
    )
    .addHelpText("after", helpOf("conformance"));
  for (const command of commands.map((createCommand) => createCommand())) {
    conformance.addCommand(
      command
        .exitOverride()
        .showHelpAfterError(`(see: fullstop conformance ${command.name()} --help)`),
    );
  }
  return conformance;
}
