#!/usr/bin/env node
import { CommanderError } from "commander";
import { createProgram } from "./program.ts";

/** Help ends with 0, wrong usage with 2, everything else with 1. */
function exitCodeOf(thrown: unknown): number {
  if (!(thrown instanceof CommanderError)) return 1;
  return thrown.exitCode === 0 ? 0 : 2;
}

// The reader may leave early (`| head`).
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || process.exitCode === 1) return;
  process.exitCode = 1;
  process.stderr.write(`worker: cannot write the output: ${message}\n`);
});
try {
  await createProgram().parseAsync();
} catch (thrown) {
  process.exitCode = exitCodeOf(thrown);
  // Commander has printed its own errors already.
  if (!(thrown instanceof CommanderError))
    process.stderr.write(`worker: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
}
