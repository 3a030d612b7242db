import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./blocks.ts";
import type { Generated } from "./generated-file.ts";

const fixturesFolder = "packages/conformance/fixtures";
/** Changes if a reader of the old format misreads the new one. */
const formatVersion = 1;

interface TurnFile {
  readonly name: string;
  readonly source: string;
  readonly evidence: string;
  readonly toolChoice?: string;
  readonly maxTokens?: number;
  readonly terminal?: number;
}

/** The offsets of an event: its first byte, and the byte behind the last one of its last line. */
interface EventBytes {
  readonly start: number;
  readonly end: number;
}

/** The events of a stream that have data. */
export function eventsOf(bytes: Buffer): readonly EventBytes[] {
  // One character for each byte, so an index is an offset.
  const text = bytes.toString("latin1");
  const blocks = [...text.matchAll(/(?:[^\r\n]+(?:\r\n|\r|\n|$))+/g)];
  return blocks
    .filter(([block]) => /^data(?::|[\r\n]|$)/m.test(block))
    .map(({ 0: block, index }) => ({
      start: index,
      end: index + block.replace(/[\r\n]+$/, "").length,
    }));
}

const bytesIn = (file: string): Buffer => readFileSync(join(root, fixturesFolder, file));

function streamOf(file: string, number: number | undefined): object {
  const bytes = bytesIn(file);
  const events = eventsOf(bytes);
  const terminal = events.at(number === undefined ? -1 : number - 1);
  if (terminal === undefined) throw new Error(`${file} has no event ${number ?? ""}.`);
  return { file, bytes: bytes.length, terminal };
}

/** The index's entry of a reply. `id` is its path without the extension. */
function replyOf(id: string, cap: number, files: ReadonlySet<string>): object {
  const turn = `${id}.turn.json`;
  const known = JSON.parse(bytesIn(turn).toString()) as TurnFile;
  const body = `${id}.json`;
  return {
    id,
    protocol: id.slice(0, id.indexOf("/")),
    name: known.name,
    source: known.source,
    evidence: known.evidence,
    ...(known.toolChoice !== undefined && { toolChoice: known.toolChoice }),
    maxTokens: known.maxTokens ?? cap,
    turn,
    stream: streamOf(`${id}.sse`, known.terminal),
    ...(files.has(body) && { body: { file: body, bytes: bytesIn(body).length } }),
  };
}

function corpusIndex(): string {
  const request = "request.json";
  const { maxTokens: cap } = JSON.parse(bytesIn(request).toString()) as {
    readonly maxTokens: number;
  };
  const files = new Set(
    globSync("*/*", { cwd: join(root, fixturesFolder) }).map((file) => file.replaceAll("\\", "/")),
  );
  const replies = [...files]
    .filter((file) => file.endsWith(".turn.json"))
    .map((file) => file.replace(/\.turn\.json$/, ""))
    .sort()
    .map((id) => replyOf(id, cap, files));
  // A line for each reply, so that a new one is one line in a diff.
  const lines = replies.map((reply) => `    ${JSON.stringify(reply)}`).join(",\n");
  return `{
  "$schema": "./corpus.schema.json",
  "version": ${formatVersion},
  "request": ${JSON.stringify(request)},
  "replies": [
${lines}
  ]
}
`;
}

/** The index of the suite's fixtures, for programs in any language. */
export const corpus: Generated = { file: `${fixturesFolder}/corpus.json`, text: corpusIndex() };
