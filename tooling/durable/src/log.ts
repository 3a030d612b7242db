import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

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

const fileOf = (folder: string, run: string): string => join(folder, `${run}.jsonl`);

/**
 * Appends a line at once, with the time for readers of a log. All processes append to one file for each run, so that the run has one
 * order. A line that was appended stays if the process is killed.
 */
export function appendLine(folder: string, line: LogLine): void {
  const at = Date.now();
  // The first line feed ends a line that a killed process has written in part.
  appendFileSync(fileOf(folder, line.run), `\n${JSON.stringify({ at, ...line })}\n`);
}

/** What happened to one run. */
export function readLog(folder: string, run: string): readonly LogLine[] {
  const path = fileOf(folder, run);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").flatMap(parseLine) : [];
}

/** What happened to each run. */
export function readLogs(folder: string): ReadonlyMap<string, readonly LogLine[]> {
  const runs = readdirSync(folder).map((file) => basename(file, ".jsonl"));
  return new Map(runs.map((run) => [run, readLog(folder, run)]));
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
