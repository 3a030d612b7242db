import { existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { render } from "../harness/bytes.ts";
import { eventStream } from "../harness/host.ts";
import { parseJson } from "../harness/json.ts";
import type { Wire } from "../wire.ts";
import { looksLike } from "./looks.ts";
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

/** What the names end with. */
type Format = ".sse" | ".jsonl" | ".json";
/** How such a file is read. `at` is the path, for messages. */
const formats: Readonly<Record<Format, (bytes: Uint8Array<ArrayBuffer>, at: string) => Content>> = {
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

/** What a folder holds. */
export interface Found {
  readonly recordings: readonly Recording[];
  /** The `.json` files that are not recordings. */
  readonly others: readonly string[];
}

/**
 * The recordings of a folder, by name. A `.json` file is one if it looks like a reply of the wire, or if a turn stands beside it.
 * @throws Error for a file that cannot be read, with its line, and for a turn without a recording.
 */
export const recordingsIn = async (folder: string, wire?: Wire): Promise<readonly Recording[]> =>
  (await findIn(folder, wire)).recordings;

/** The recordings of a folder, and what was left alone. Without a wire every `.json` file is a recording. */
export async function findIn(folder: string, wire: Wire | undefined): Promise<Found> {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Error(`There is no folder ${folder}.`);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort();
  const turns = await turnsOf(folder, names);
  const isReply = wire === undefined ? () => true : looksLike(wire);
  const recordings: Recording[] = [];
  const others: string[] = [];
  for (const { file, base, format } of names.flatMap(named)) {
    const expected = turns.get(base);
    const bytes = await bytesOf(join(folder, file));
    if (format === ".json" && expected === undefined && !isReply(parseJson(textOf(bytes)))) {
      others.push(file);
      continue;
    }
    const content = formats[format](bytes, join(folder, file));
    recordings.push({
      file,
      turnPath: join(folder, base + turnEnd),
      ...content,
      ...(expected && { expected }),
    });
  }
  checkPairs(recordings, turns, folder);
  return { recordings, others };
}

/** What the name of a file says of it; nothing where it is not that of a recording. */
function named(
  file: string,
): readonly { readonly file: string; readonly base: string; readonly format: Format }[] {
  const format = file.endsWith(turnEnd)
    ? undefined
    : (Object.keys(formats) as Format[]).find((end) => file.endsWith(end));
  return format === undefined ? [] : [{ file, base: file.slice(0, -format.length), format }];
}

const bytesOf = async (path: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(path));

async function turnsOf(
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ExpectedTurn>> {
  const turns = new Map<string, ExpectedTurn>();
  for (const name of names.filter((file) => file.endsWith(turnEnd))) {
    const at = join(folder, name);
    turns.set(
      name.slice(0, -turnEnd.length),
      expectedTurn(parsed(textOf(await bytesOf(at)), at), at),
    );
  }
  return turns;
}

function checkPairs(
  recordings: readonly Recording[],
  turns: ReadonlyMap<string, ExpectedTurn>,
  folder: string,
): void {
  if (recordings.length === 0)
    throw new Error(
      `${folder}: no recording in it. One is called NAME.sse, NAME.jsonl or NAME.json.`,
    );
  for (const [base, { replays, omits }] of turns) {
    const path = join(folder, base + turnEnd);
    const beside = recordings.filter(({ turnPath }) => turnPath === path);
    if (beside.length === 0)
      throw new Error(
        `${path}: no recording beside it (${base}.sse, ${base}.jsonl or ${base}.json).`,
      );
    if ((replays ?? omits) && !beside.some(({ events }) => events))
      throw new Error(
        `${path}: "replays" and "omits" are looked for after a reply that streams (${base}.sse or ${base}.jsonl).`,
      );
  }
}

const textOf = (bytes: Uint8Array<ArrayBuffer>): string => new TextDecoder().decode(bytes);
const lineEnds = /\r\n|\r|\n/;
const field = /^(?:data|event|id|retry)(?::|$)|^:/;

/** The data of each event. https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
function dataOf(text: string, at: string): readonly string[] {
  const lines = text.split(lineEnds);
  const wrong = lines.findIndex(
    (line, n) => line !== "" && n < lines.length - 1 && !field.test(line),
  );
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
  const wrong = said.find(({ line }) => line !== "[DONE]" && parseJson(line) === undefined);
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
