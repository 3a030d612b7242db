import { CommanderError } from "commander";
import { CommandError, exitCodes } from "./commands/exit.ts";
import { createProgram } from "./commands/program.ts";

/**
 * Describes an error. For an error of the user's module it adds the lines of the stack in that
 * module.
 */
function describeError(thrown: unknown): string {
  if (!(thrown instanceof CommandError))
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  if (!(thrown.cause instanceof Error)) return thrown.message;
  const { stack = "", message } = thrown.cause;
  const moduleLines = stack
    .split("\n")
    .filter(
      (line) =>
        /^ +at /.test(line) &&
        !/node:|commander|\(<anonymous>\)/.test(line) &&
        !ownFolders.some((folder) => line.includes(folder)),
    );
  return [thrown.message, message, ...moduleLines.slice(0, 5)].join("\n");
}
/**
 * The sources of this package and of the library. Lines of a stack in them do not help the user.
 */
const ownFolders = [import.meta.url, import.meta.resolve("@fullstop/conformance")].map(
  (url) => new URL(".", url).href,
);

/** Runs the command with the arguments of this process, and sets its exit code. */
export async function parseArguments(): Promise<void> {
  // The reader may close the pipe early, as `| head` does.
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    process.exitCode = exitCodes.failed;
    process.stderr.write(`conformance: The report cannot be written: ${message}\n`);
  });
  try {
    await createProgram().parseAsync();
  } catch (thrown) {
    const isUsage = thrown instanceof CommanderError;
    process.exitCode = isUsage && thrown.exitCode === 0 ? exitCodes.passed : exitCodes.failed;
    if (!isUsage) process.stderr.write(`conformance: ${describeError(thrown)}\n`);
  }
}
