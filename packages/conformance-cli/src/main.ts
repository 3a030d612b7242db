#!/usr/bin/env node
import { CommanderError } from "commander";
import { exitCodes, CommandError } from "./commands/exit.ts";
import { createProgram } from "./commands/program.ts";

/** What went wrong; of what somebody's module threw, where it was thrown there. */
function describeError(thrown: unknown): string {
  if (!(thrown instanceof CommandError))
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  if (!(thrown.cause instanceof Error)) return thrown.message;
  const { stack = "", message } = thrown.cause;
  const theirs = stack
    .split("\n")
    .filter(
      (line) =>
        /^ +at /.test(line) &&
        !/node:|commander|\(<anonymous>\)/.test(line) &&
        !ownFolders.some((folder) => line.includes(folder)),
    );
  return [thrown.message, message, ...theirs.slice(0, 5)].join("\n");
}
const ownFolders = [import.meta.url, import.meta.resolve("@fullstop/conformance")].map(
  (url) => new URL(".", url).href,
);

// Whoever reads may leave early (`| head`).
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") return;
  process.exitCode = exitCodes.unable;
  process.stderr.write(`conformance: The report cannot be written: ${message}\n`);
});
try {
  const node = process.versions.node;
  if (Number.parseInt(node, 10) < 22)
    throw new CommandError(`Node 22 or newer is needed; this is ${node}.`);
  await createProgram().parseAsync();
} catch (thrown) {
  const wrongUsage = thrown instanceof CommanderError;
  process.exitCode = wrongUsage && thrown.exitCode === 0 ? exitCodes.kept : exitCodes.unable;
  if (!wrongUsage) process.stderr.write(`conformance: ${describeError(thrown)}\n`);
}
