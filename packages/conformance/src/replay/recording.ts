import { existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { json, render } from "../bytes.ts";
import { eventStream } from "../host.ts";
import { type ExpectedTurn, expectedTurn } from "./turn.ts";

/** A reply that somebody recorded. */
export interface Recording {
  /** `weather.sse` */
  readonly file: string;
  /** Where its expected turn is, or would be. */
  readonly turnPath: string;
  /** As received; lines of JSON are written down as server-sent events. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  /** The data of its events; nothing where the reply is one JSON body. */
  readonly events?: readonly string[];
  readonly expected?: ExpectedTurn;
}

type Content = Pick<Recording, "bytes" | "headers" | "events">;

/** What the names end with, and how such a file is read. `at` is the path, for messages. */
const formats: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>, at: string) => Content>> = {
  ".sse": (bytes, at) => ({ bytes, headers: eventStream, events: dataOf(textOf(bytes), at) }),
  ".jsonl": (bytes, at) => {
    const events = payloads(textOf(bytes), at);
    return { bytes: render({ upToTerminal: events }).bytes, headers: eventStream, events };
  },
  ".json": (bytes, at) => {
    parsed(textOf(bytes), at);
    return { bytes, headers: { "content-type": "application/json" } };
  },
};
const turnEnd = ".turn.json";

/**
 * The recordings of a folder, by name.
 * @throws Error for a file that is none, with its line, and for a turn without a recording.
 */
export async function recordingsIn(folder: string): Promise<readonly Recording[]> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error(`There is no folder ${folder}.`);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort();
  const read = async (name: string): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await readFile(join(folder, name)));
  const turns = new Map<string, ExpectedTurn>();
  for (const name of names.filter((file) => file.endsWith(turnEnd))) {
    const at = join(folder, name);
    turns.set(name.slice(0, -turnEnd.length), expectedTurn(parsed(textOf(await read(name)), at), at));
  }
  const recordings: Recording[] = [];
  for (const name of names.filter((file) => !file.endsWith(turnEnd))) {
    const [end, format] = Object.entries(formats).find(([known]) => name.endsWith(known)) ?? [];
    if (end === undefined || format === undefined) continue;
    const base = name.slice(0, -end.length);
    const expected = turns.get(base);
    const content = format(await read(name), join(folder, name));
    recordings.push({ file: name, turnPath: join(folder, base + turnEnd), ...content, ...(expected && { expected }) });
  }
  checkPairs(recordings, turns, folder);
  return recordings;
}

function checkPairs(recordings: readonly Recording[], turns: ReadonlyMap<string, ExpectedTurn>, folder: string): void {
  if (recordings.length === 0) throw new Error(`${folder}: no recording in it. One is called NAME.sse, NAME.jsonl or NAME.json.`);
  for (const [base, { replays, omits }] of turns) {
    const path = join(folder, base + turnEnd);
    const beside = recordings.filter(({ turnPath }) => turnPath === path);
    if (beside.length === 0) throw new Error(`${path}: no recording beside it (${base}.sse, ${base}.jsonl or ${base}.json).`);
    if ((replays ?? omits) && !beside.some(({ events }) => events))
      throw new Error(`${path}: "replays" and "omits" are looked for after a reply that streams (${base}.sse or ${base}.jsonl).`);
  }
}

const textOf = (bytes: Uint8Array<ArrayBuffer>): string => new TextDecoder().decode(bytes);
const lineEnds = /\r\n|\r|\n/;
const field = /^(?:data|event|id|retry)(?::|$)|^:/;

/** The data of each event. https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
function dataOf(text: string, at: string): readonly string[] {
  const lines = text.split(lineEnds);
  const wrong = lines.findIndex((line, n) => line !== "" && n < lines.length - 1 && !field.test(line));
  if (wrong >= 0)
    throw new Error(
      `${at}:${wrong + 1}: no line of server-sent events: ${excerpt(lines[wrong])}. One JSON payload per line is a .jsonl file.`,
    );
  const events: string[] = [];
  let data: string[] = [];
  for (const line of [...lines, ""]) {
    if (/^data(?::|$)/.test(line)) data.push(line.slice(5).replace(/^ /, ""));
    if (line !== "" || data.length === 0) continue;
    events.push(data.join("\n"));
    data = [];
  }
  if (events.length === 0) throw new Error(`${at}:1: no event in it: no line begins with "data:".`);
  return events;
}

/** One JSON payload per line; `[DONE]` is what some hosts end with. */
function payloads(text: string, at: string): readonly string[] {
  const lines = text.split(lineEnds).map((line, n) => ({ line: line.trim(), n: n + 1 }));
  const said = lines.filter(({ line }) => line !== "");
  const wrong = said.find(({ line }) => line !== "[DONE]" && json(line) === undefined);
  if (wrong !== undefined) throw new Error(`${at}:${wrong.n}: no JSON: ${excerpt(wrong.line)}`);
  if (said.length === 0) throw new Error(`${at}:1: no payload in it.`);
  return said.map(({ line }) => line);
}

function parsed(text: string, at: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const line = /\(line (\d+) /.exec(message)?.[1];
    throw new Error(`${at}${line === undefined ? "" : `:${line}`}: ${message}`);
  }
}

const excerpt = (text = ""): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
