import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  Exchange,
  ObservedRun,
  Received,
  ReplySource,
  ScriptNames,
} from "@fullstop/conformance";
import { tryParseJson } from "@fullstop/conformance/runner";
import { createFolder } from "../folders.ts";
import { CommandError, messageOf } from "./exit.ts";

export interface RecordedRun extends ObservedRun {
  /** The requests that the script answered, if the run has no `traffic`. */
  readonly exchanges?: readonly Exchange[];
  readonly source?: ReplySource;
}

export interface TrafficFolder {
  /** Writes a run into a folder of its own. The names are those of its script. */
  add(script: ScriptNames, run: RecordedRun): void;
  /** Writes a run that comes before the first question. */
  addPreparation(name: keyof typeof preparations, run: RecordedRun): void;
  /** A sentence about what was written. @throws CommandError if something was not. */
  describe(): string;
}

const preparations = {
  detection: "what the program offers, and what it does without a call",
  evidence: "what a complete call leaves behind",
} as const;

/** Headers that hold keys. Their values are not written. */
const secretHeaders = /^(?:proxy-)?authorization$|key|token|secret|cookie/i;

const withoutKeys = (headers: Received["headers"]): Received["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.test(name) ? "(left out)" : value,
    ]),
  );

const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The name of a folder for a script. Its id may have characters that a file system refuses. */
const folderNameOf = (id: string): string => id.replaceAll(/[^\w.-]/g, "_");

/** The extensions of files by the content type of an answer. Other answers are text. */
const extensions: Readonly<Record<string, string>> = {
  "text/event-stream": "sse",
  "application/x-ndjson": "jsonl",
  "application/vnd.amazon.eventstream": "bin",
  "application/json": "json",
};
/** The extension of a file with this answer. A stream of text can be replayed as a recording. */
function extensionOf({ headers = { "content-type": "text/event-stream" } }: Exchange["answer"]) {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return extensions[type] ?? "txt";
}

/** Writes one request and its response. Returns what the list of the run says about them. */
function writeExchange(folder: string, { request, answer }: Exchange, index: number): object {
  const number = String(index + 1).padStart(3, "0");
  const names = {
    request: `${number}-request.json`,
    response: `${number}-response.${extensionOf(answer)}`,
  };
  const { method, path, headers, body } = request;
  writeFileSync(
    join(folder, names.request),
    toJsonText({ method, path, headers: withoutKeys(headers), body: tryParseJson(body) ?? body }),
  );
  writeFileSync(join(folder, names.response), Buffer.concat(answer.chunks));
  const { status = 200, fault } = answer;
  return { ...names, method, path, status, ...(fault !== undefined && { fault }) };
}

function writeRun(
  folder: string,
  { id, name }: ScriptNames,
  { effects, timeout, output = "", traffic, exchanges, source }: RecordedRun,
): void {
  createFolder(folder);
  const files = (traffic ?? exchanges ?? []).map((exchange, index) =>
    writeExchange(folder, exchange, index),
  );
  writeFileSync(join(folder, "output.txt"), output);
  const end = timeout === undefined ? {} : { timeout };
  writeFileSync(
    join(folder, "run.json"),
    toJsonText({ id, name, ...(source && { source }), effects, ...end, exchanges: files }),
  );
}

/** @throws CommandError if the path is taken by something other than an empty folder. */
function prepareFolder(path: string): void {
  try {
    if (!existsSync(path)) createFolder(path);
    else if (!statSync(path).isDirectory() || readdirSync(path).length > 0)
      throw new Error("it exists and is not an empty folder. Name a new folder, or empty this one");
  } catch (thrown) {
    throw new CommandError(`--traffic ${path}: ${messageOf(thrown)}.`);
  }
}

/** @throws CommandError if the folder exists and is not empty, or cannot be created. */
function createTrafficFolder(path: string): TrafficFolder {
  prepareFolder(path);
  let runs = 0;
  let requests = 0;
  let problem: string | undefined;
  const add = (script: ScriptNames, run: RecordedRun): void => {
    try {
      writeRun(join(path, folderNameOf(script.id)), script, run);
      runs++;
      requests += (run.traffic ?? run.exchanges ?? []).length;
    } catch (thrown) {
      problem ??= messageOf(thrown);
    }
  };
  return {
    add,
    addPreparation: (id, run) => add({ id, name: preparations[id] }, run),
    describe: () => {
      if (problem !== undefined)
        throw new CommandError(`The traffic cannot be written to ${path}: ${problem}`);
      return `The traffic of ${runs} runs (${requests} requests) is in ${path}.`;
    },
  };
}

/** Gives the work the folder of `--traffic`, if named. Says what was written, also on failure. */
export async function withTraffic<Done>(
  path: string | undefined,
  work: (traffic: TrafficFolder | undefined) => Promise<Done>,
): Promise<Done> {
  if (path === undefined) return work(undefined);
  const traffic = createTrafficFolder(path);
  try {
    return await work(traffic);
  } finally {
    process.stderr.write(`${traffic.describe()}\n`);
  }
}
