import type { ClaimedStop } from "@fullstop/core/adapter";
import { tokensFor } from "./tokens.ts";
import type { Reply, ReplyCall, Wire } from "./wire.ts";

/** A reply before it is said in a protocol: its reason is ours, not the native word. */
export interface Scenario {
  readonly name: string;
  readonly blocks: Reply["blocks"];
  readonly stop: ClaimedStop;
}

const call = (name: string, id: string, input: object): ReplyCall => ({ name, id, input });
export const read: ReplyCall = call("read", "call_read_1", { path: "/srv/notes.txt", lines: 20 });
export const write: ReplyCall = call("write", "call_write_2", {
  path: "/srv/out.txt",
  content: "one\ntwo\n",
  mode: null,
  force: true,
});
export const isCall = (block: Reply["blocks"][number]): block is ReplyCall => "name" in block;

const nested = {
  query: {
    all: [{ field: "a.b", in: [1, -2.5, 3e10] }, { not: { field: "c", in: [] } }],
    deep: { deeper: { deepest: [{}] } },
  },
};
const awkward = {
  path: 'C:\\tmp\\"x".txt',
  content: 'tab\there \u0000 null, \u2028 line, </script>, {"json": [1, 2}',
};
const unicode = { city: "Ærøskøbing", emoji: "🧊🧑‍🚀", script: "日本語 नमस्ते", lone: "e\u0301" };
const large = {
  path: "/srv/large.md",
  content: Array.from({ length: 40 }, (_, n) => `${n}. "Quoted" — line of a large file 🧊\n`).join(
    "",
  ),
};

/** What calls look like. */
export const callShapes: readonly Scenario[] = [
  { name: "one call", blocks: [read] },
  { name: "text and a call", blocks: [{ text: "I will read the notes." }, read] },
  { name: "two parallel calls", blocks: [read, write] },
  {
    name: "text and three parallel calls of one tool",
    blocks: [
      { text: "All three." },
      ...["a", "b", "c"].map((path, n) => call("read", `call_${n}`, { path })),
    ],
  },
  { name: "a call without input", blocks: [call("list", "call_list_1", {})] },
  { name: "a call without input beside one with", blocks: [call("list", "call_list_1", {}), read] },
  {
    name: "an empty string as input",
    blocks: [call("write", "call_empty_1", { path: "", content: "" })],
  },
  {
    name: "characters of two to four bytes",
    blocks: [{ text: "Ærø 🧊" }, call("weather", "call_unicode_1", unicode)],
  },
  { name: "escapes, and JSON inside a string", blocks: [call("write", "call_awkward_1", awkward)] },
  { name: "a nested input", blocks: [call("search", "call_nested_1", nested)] },
  { name: "an input of some KiB", blocks: [call("write", "call_large_1", large)] },
].map((shape): Scenario => ({ ...shape, stop: "tool-use" }));

export const justText: Scenario = {
  name: "text only",
  blocks: [{ text: "All done. 🧊" }],
  stop: "stop",
};

/** Reasons under which nothing runs, whatever the reply holds. */
const neverRun: readonly ClaimedStop[] = [
  "length",
  "context-window",
  "pause",
  "refusal",
  "content-filter",
  "malformed-tool-call",
  "error",
  "unknown",
];

const under = (stop: ClaimedStop): readonly Scenario[] =>
  [justText, ...callShapes.slice(0, 3)].map((shape) => ({
    ...shape,
    name: `${shape.name}, ${stop}`,
    stop,
  }));

/** Every reply that a protocol with these words can say. */
export const scenarios: readonly Scenario[] = [
  justText,
  ...callShapes,
  ...callShapes.slice(0, 3).map(
    (shape): Scenario => ({
      ...shape,
      name: `${shape.name}, under the word for a finished text`,
      stop: "stop",
    }),
  ),
  ...neverRun.flatMap(under),
];

/** The word under which a wire says finished calls: that for a finished text, where it has none for them. */
export const wordForCalls = ({ nativeStops: words }: Wire): string | undefined =>
  words["tool-use"] ?? words.stop;

/** The output tokens of a reply that ends with a word. */
export const tokensUnder = ({ nativeStops: words }: Wire, stop: string): number =>
  tokensFor(stop === words.length);

/** The scenario in the words of a wire; nothing where it has no word for the reason. */
export function say(wire: Wire, scenario: Scenario): Reply | undefined {
  const stop = scenario.stop === "tool-use" ? wordForCalls(wire) : wire.nativeStops[scenario.stop];
  return stop === undefined
    ? undefined
    : { blocks: scenario.blocks, stop, output: tokensUnder(wire, stop) };
}

/** The scenarios that a wire can say, said. */
export const said = (
  wire: Wire,
  list: readonly Scenario[] = scenarios,
): readonly { readonly name: string; readonly reply: Reply }[] =>
  list.flatMap((scenario) => {
    const reply = say(wire, scenario);
    return reply === undefined ? [] : [{ name: scenario.name, reply }];
  });
