#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";

/** The commands. Only the one that is named is loaded, because each needs other packages. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import("./demo/command.ts")).demoCommand(),
  inspect: async () => (await import("./inspect/command.ts")).inspectCommand(),
  lint: async () => (await import("./lint/command.ts")).lintCommand(),
};

const help = `
Exit codes:
  0    done, and safe
  1    something is broken
  2    wrong usage
  130  interrupted

Examples:
  fullstop demo               watch an agent while its replies break
  fullstop demo --json        the same, for a program to read
  fullstop help demo          what the demo shows and what it checks
  fullstop inspect run.jsonl  what arrived in a recorded run, and what became of it
  fullstop lint request.json  what a provider would refuse in a transcript
`;

function readVersion(): string {
  const manifest = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  ) as { readonly version: string };
  return manifest.version;
}

/** Help and version end with 0, wrong usage with 2, everything else with 1. */
function exitCodeOf(thrown: unknown): number {
  if (!(thrown instanceof CommanderError)) return 1;
  return thrown.exitCode === 0 ? 0 : 2;
}

const program = new Command("fullstop")
  .description("A tool call runs only when the model finished its sentence.")
  .version(readVersion())
  .addHelpText("after", help)
  .showHelpAfterError("(see: fullstop --help)")
  .exitOverride();
const named = Object.entries(commands).filter(([name]) => name === process.argv[2]);
for (const [name, load] of named.length > 0 ? named : Object.entries(commands)) {
  const command = await load();
  program.addCommand(command.exitOverride().showHelpAfterError(`(see: fullstop ${name} --help)`));
}

// The reader may leave early (`| head`), also while it reads the help.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || process.exitCode === 1) return;
  process.exitCode = 1;
  process.stderr.write(`fullstop: cannot write the output: ${message}\n`);
});
try {
  await program.parseAsync();
} catch (thrown) {
  process.exitCode = exitCodeOf(thrown);
  // Commander has printed its own errors already.
  if (!(thrown instanceof CommanderError))
    process.stderr.write(
      `fullstop: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`,
    );
}
