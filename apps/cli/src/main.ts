#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { demoCommand } from "./demo/command.ts";

const help = `
Exit codes:
  0    done, and safe
  1    something is broken
  2    wrong usage
  130  interrupted

Examples:
  fullstop demo               an agent at work while its replies break
  fullstop demo --json        the same, for a program to read
  fullstop help demo          what it shows and what it checks
`;

function version(): string {
  const manifest = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  ) as { readonly version: string };
  return manifest.version;
}

const program = new Command("fullstop")
  .description("A tool call runs only when the model finished its sentence.")
  .version(version())
  .addHelpText("after", help)
  .showHelpAfterError("(--help says what there is)")
  .addCommand(
    demoCommand().exitOverride().showHelpAfterError("(fullstop demo --help says what there is)"),
  )
  .exitOverride();

// Whoever reads may leave early (`| head`), the help too.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || process.exitCode === 1) return;
  process.exitCode = 1;
  process.stderr.write(`fullstop: what there is to show cannot be written: ${message}\n`);
});
try {
  await program.parseAsync();
} catch (thrown) {
  const usage = thrown instanceof CommanderError;
  if (!usage)
    process.stderr.write(
      `fullstop: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`,
    );
  process.exitCode = usage ? (thrown.exitCode === 0 ? 0 : 2) : 1;
}
