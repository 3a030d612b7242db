import type { ClaimedStop } from "@fullstop/core/adapter";
import type { Reply, ReplyCall, Wire } from "../wire.ts";
import { type Effort, waysFor } from "./bytes.ts";

type PropertyType = "string" | "integer" | "boolean" | "object";

const strings = (...names: readonly string[]): Readonly<Record<string, PropertyType>> =>
  Object.fromEntries(names.map((name) => [name, "string"]));

/** The tools of every request: those that the replies of the suite call. */
export const toolProperties: Readonly<Record<string, Readonly<Record<string, PropertyType>>>> = {
  read: { path: "string", lines: "integer" },
  write: { ...strings("path", "content", "mode"), force: "boolean" },
  list: {},
  weather: strings("city", "emoji", "script", "lone"),
  search: { query: "object" },
  save: strings("path"),
};

export const toolNames: readonly string[] = Object.keys(toolProperties);

interface SuiteTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The tools as requests offer them: with the name of the type of an input, and a schema for each type. */
export const suiteTools = (
  object: string,
  schemaOf: (type: PropertyType) => object,
): readonly SuiteTool[] =>
  Object.entries(toolProperties).map(([name, properties]) => ({
    name,
    description: `The tool ${name}.`,
    schema: {
      type: object,
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, type]) => [key, schemaOf(type)]),
      ),
      // One tool has a required property.
      ...(name === "save" && { required: Object.keys(properties) }),
    },
  }));

/**
 * The output cap of every request of the suite, unless a clause sets another. A reply that was cut
 * at the cap reports as many output tokens.
 */
export const cap = 1024;

/** The output tokens of every other reply: far below the cap. */
export const fewTokens = 12;

/** A reply before it is written in a protocol. */
export interface Scenario {
  readonly name: string;
  readonly blocks: Reply["blocks"];
  /** The shared stop reason; the wire knows the native one. */
  readonly stop: ClaimedStop;
}

const replyCall = (name: string, id: string, input: object): ReplyCall => ({ name, id, input });

export const readCall: ReplyCall = replyCall("read", "call_read_1", {
  path: "/srv/notes.txt",
  lines: 20,
});

export const writeCall: ReplyCall = replyCall("write", "call_write_2", {
  path: "/srv/out.txt",
  content: "one\ntwo\n",
  mode: null,
  force: true,
});

export const isReplyCall = (block: Reply["blocks"][number]): block is ReplyCall => "name" in block;

export const nestedInput: object = {
  query: {
    all: [{ field: "a.b", in: [1, -2.5, 3e10] }, { not: { field: "c", in: [] } }],
    deep: { deeper: { deepest: [{}] } },
  },
};

export const escapedInput: object = {
  path: 'C:\\tmp\\"x".txt',
  content: 'tab\there \u0000 null, \u2028 line, </script>, {"json": [1, 2}',
};

export const unicodeInput: object = {
  city: "Ærøskøbing",
  emoji: "🧊🧑‍🚀",
  script: "日本語 नमस्ते",
  lone: "e\u0301",
};

export const largeInput: object = {
  path: "/srv/large.md",
  content: Array.from(
    { length: 100 },
    (_, line) => `${line}. "Quoted" — line of a large file 🧊\n`,
  ).join(""),
};

export const callShapes: readonly Scenario[] = [
  { name: "one call", blocks: [readCall] },
  { name: "text and a call", blocks: [{ text: "I will read the notes." }, readCall] },
  { name: "two parallel calls", blocks: [readCall, writeCall] },
  {
    name: "text and three parallel calls of one tool",
    blocks: [
      { text: "All three." },
      ...["a", "b", "c"].map((path, index) => replyCall("read", `call_${index}`, { path })),
    ],
  },
  { name: "a call without input", blocks: [replyCall("list", "call_list_1", {})] },
  {
    name: "a call without input beside one with",
    blocks: [replyCall("list", "call_list_1", {}), readCall],
  },
  {
    name: "an empty string as input",
    blocks: [replyCall("write", "call_empty_1", { path: "", content: "" })],
  },
  {
    name: "characters of two to four bytes",
    blocks: [{ text: "Ærø 🧊" }, replyCall("weather", "call_unicode_1", unicodeInput)],
  },
  {
    name: "escapes, and JSON inside a string",
    blocks: [replyCall("write", "call_awkward_1", escapedInput)],
  },
  { name: "a nested input", blocks: [replyCall("search", "call_nested_1", nestedInput)] },
  { name: "an input of some KiB", blocks: [replyCall("write", "call_large_1", largeInput)] },
].map((shape): Scenario => ({ ...shape, stop: "tool-use" }));

/** The first shapes: enough for clauses that try each of them in many ways. */
export const basicCallShapes: readonly Scenario[] = callShapes.slice(0, 3);

export const textOnly: Scenario = {
  name: "text only",
  blocks: [{ text: "All done. 🧊" }],
  stop: "stop",
};

const nonRunningStops: readonly ClaimedStop[] = [
  "length",
  "context-window",
  "pause",
  "refusal",
  "content-filter",
  "malformed-tool-call",
  "error",
  "unknown",
];

const scenariosUnder = (stop: ClaimedStop): readonly Scenario[] =>
  [textOnly, ...basicCallShapes].map((shape) => ({
    ...shape,
    name: `${shape.name}, ${stop}`,
    stop,
  }));

/** Every reply that is tried. A small sample has one shape under each stop reason without calls. */
const scenariosFor = (effort: Effort): readonly Scenario[] => [
  textOnly,
  ...callShapes,
  ...basicCallShapes.map(
    (shape): Scenario => ({
      ...shape,
      name: `${shape.name}, under the stop reason of a finished text`,
      stop: "stop",
    }),
  ),
  ...nonRunningStops.flatMap((stop, number) => waysFor(scenariosUnder(stop), number, effort)),
];

/** The native stop reason of a finished reply with calls, which may be that of a text. */
export const nativeStopForCalls = ({ nativeStops }: Wire): string | undefined =>
  nativeStops["tool-use"] ?? nativeStops.stop;

export const finishedCalls = (wire: Wire, blocks: readonly ReplyCall[]): Reply => ({
  blocks,
  stop: nativeStopForCalls(wire) ?? "",
  output: fewTokens,
});

export const tokensForStop = ({ nativeStops }: Wire, stop: string): number =>
  stop === nativeStops.length ? cap : fewTokens;

/** The scenario as a reply. `undefined` if the wire has no native stop reason for it. */
function replyFor(wire: Wire, { blocks, stop: claimed }: Scenario): Reply | undefined {
  const stop = claimed === "tool-use" ? nativeStopForCalls(wire) : wire.nativeStops[claimed];
  return stop === undefined ? undefined : { blocks, stop, output: tokensForStop(wire, stop) };
}

export interface NamedReply {
  readonly name: string;
  readonly reply: Reply;
}

export const repliesFor = (wire: Wire, list: readonly Scenario[]): readonly NamedReply[] =>
  list.flatMap((scenario) => {
    const reply = replyFor(wire, scenario);
    return reply === undefined ? [] : [{ name: scenario.name, reply }];
  });

/** Every reply that is tried and that the wire can express; by default not only a sample of them. */
export const allRepliesFor = (
  wire: Wire,
  effort: Effort = { exhaustive: false },
): readonly NamedReply[] => repliesFor(wire, scenariosFor(effort));
