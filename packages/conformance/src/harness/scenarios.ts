import type { ClaimedStop } from "@fullstop/core/adapter";
import { tokensFor } from "./tokens.ts";
import type { Reply, ReplyCall, Wire } from "../wire.ts";

/** A reply before it is said in a protocol: its reason is ours, not the native word. */
export interface Scenario {
  readonly name: string;
  readonly blocks: Reply["blocks"];
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

const nestedInput = {
  query: {
    all: [{ field: "a.b", in: [1, -2.5, 3e10] }, { not: { field: "c", in: [] } }],
    deep: { deeper: { deepest: [{}] } },
  },
};
const escapedInput = {
  path: 'C:\\tmp\\"x".txt',
  content: 'tab\there \u0000 null, \u2028 line, </script>, {"json": [1, 2}',
};
const unicodeInput = {
  city: "Ærøskøbing",
  emoji: "🧊🧑‍🚀",
  script: "日本語 नमस्ते",
  lone: "e\u0301",
};
const largeInput = {
  path: "/srv/large.md",
  content: Array.from({ length: 40 }, (_, n) => `${n}. "Quoted" — line of a large file 🧊\n`).join(
    "",
  ),
};

/** What calls look like. */
export const callShapes: readonly Scenario[] = [
  { name: "one call", blocks: [readCall] },
  { name: "text and a call", blocks: [{ text: "I will read the notes." }, readCall] },
  { name: "two parallel calls", blocks: [readCall, writeCall] },
  {
    name: "text and three parallel calls of one tool",
    blocks: [
      { text: "All three." },
      ...["a", "b", "c"].map((path, n) => replyCall("read", `call_${n}`, { path })),
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

export const textOnly: Scenario = {
  name: "text only",
  blocks: [{ text: "All done. 🧊" }],
  stop: "stop",
};

/** Reasons under which nothing runs, whatever the reply holds. */
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
  [textOnly, ...callShapes.slice(0, 3)].map((shape) => ({
    ...shape,
    name: `${shape.name}, ${stop}`,
    stop,
  }));

/** Every reply that a protocol with these words can say. */
export const scenarios: readonly Scenario[] = [
  textOnly,
  ...callShapes,
  ...callShapes.slice(0, 3).map(
    (shape): Scenario => ({
      ...shape,
      name: `${shape.name}, under the word for a finished text`,
      stop: "stop",
    }),
  ),
  ...nonRunningStops.flatMap(scenariosUnder),
];

/** The word under which a wire says finished calls: that for a finished text, where it has none for them. */
export const nativeStopForCalls = ({ nativeStops: words }: Wire): string | undefined =>
  words["tool-use"] ?? words.stop;

/** The output tokens of a reply that ends with a word. */
export const tokensForStop = ({ nativeStops: words }: Wire, stop: string): number =>
  tokensFor(stop === words.length);

/** The scenario in the words of a wire; nothing where it has no word for the reason. */
export function replyFor(wire: Wire, scenario: Scenario): Reply | undefined {
  const stop =
    scenario.stop === "tool-use" ? nativeStopForCalls(wire) : wire.nativeStops[scenario.stop];
  return stop === undefined
    ? undefined
    : { blocks: scenario.blocks, stop, output: tokensForStop(wire, stop) };
}

/** The scenarios that a wire can say, said. */
export const repliesFor = (
  wire: Wire,
  list: readonly Scenario[] = scenarios,
): readonly { readonly name: string; readonly reply: Reply }[] =>
  list.flatMap((scenario) => {
    const reply = replyFor(wire, scenario);
    return reply === undefined ? [] : [{ name: scenario.name, reply }];
  });
