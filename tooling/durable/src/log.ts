import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** What happened to a run, in the order in which it happened. */
export type LogLine = {
  readonly run: string;
  /** The process that did it. */
  readonly worker: string;
} & LogEvent;

export type LogEvent =
  /** The process became the writer of the run. */
  | { readonly event: "opened" }
  /** The witness got the request for an effect. `receipt` is different for each request. */
  | { readonly event: "effect-began"; readonly item: string; readonly receipt: string }
  | { readonly event: "effect-ended"; readonly item: string; readonly receipt: string }
  /** The journal said that it has the result of this call. */
  | { readonly event: "acknowledged"; readonly item: string; readonly result: string }
  /** The model got this result, in a request or in the conversation of the outcome. */
  | { readonly event: "given"; readonly item: string; readonly result: string }
  | { readonly event: "doubted"; readonly item: string }
  | { readonly event: "settled"; readonly item: string; readonly settlement: Settled }
  /** The journal is deleted now. */
  | { readonly event: "deleted" }
  /** The journal acknowledged something that it was asked after it was deleted. */
  | { readonly event: "unnoticed" }
  /** The run did not end although its steps could not be recorded. */
  | { readonly event: "hung" }
  /** The process stops itself with SIGSTOP. */
  | { readonly event: "paused" }
  /** The run ended, and the conversation of its outcome has so many problems. */
  | { readonly event: "conversation"; readonly problems: number }
  /** The caller of the run, or of the engine, has its outcome. */
  | { readonly event: "ended"; readonly status: string; readonly text: string }
  /** `run` rejected: `kind` is that of the `JournalError`. */
  | { readonly event: "rejected"; readonly kind: string; readonly message: string };
export type Settled = "result" | "did-not-happen";

/**
 * Appends a line at once, with the time for readers of a log. All processes append to one file, so that the file has one order. A line
 * that was appended stays if the process is killed.
 */
export function appendLine(path: string, line: LogLine): void {
  const at = Date.now();
  // The first line feed ends a line that a killed process has written in part.
  appendFileSync(path, `\n${JSON.stringify({ at, ...line })}\n`);
}

export function readLog(path: string): readonly LogLine[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").split("\n").flatMap(parseLine);
}

/** None for an empty line, and for one that SIGKILL has cut. */
function parseLine(line: string): readonly LogLine[] {
  if (!line.endsWith("}")) return [];
  try {
    return [JSON.parse(line) as LogLine];
  } catch {
    return [];
  }
}

/** The lines of each run, in their order. */
export function groupByRun(lines: readonly LogLine[]): ReadonlyMap<string, readonly LogLine[]> {
  return Map.groupBy(lines, ({ run }) => run);
}
