import { CommandError } from "./commands/exit.ts";

/** Describes an error; one of the user's module with the lines of the stack in it. */
export function describeError(thrown: unknown): string {
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
/** The sources of this package and of the library. Stack lines in them do not help the user. */
const ownFolders = [import.meta.url, import.meta.resolve("@fullstop/conformance")].map(
  (url) => new URL(".", url).href,
);
