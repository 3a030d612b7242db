// @boundaries-ignore the suite stands on the loop, and the tests of the loop on this package
import { cap, type Fixture, type Wire } from "../../conformance/src/index.ts";

interface Block {
  readonly type: string;
  readonly id: string;
}
interface Body {
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly Block[];
  }[];
}

const json = (events: readonly object[]): readonly string[] =>
  events.map((event) => JSON.stringify(event));
const signed = [
  { type: "thinking", text: "Hm." },
  { type: "provider-data", data: { signature: "c2ln" } },
];
const ends = (native: string, output = 5): readonly object[] => [
  { type: "usage", usage: { input: 9, output } },
  { type: "stop", native, provisional: false },
];
const fixtures: readonly Fixture[] = [
  {
    name: "signed thinking and a server call with its result, before a call",
    frames: {
      upToTerminal: json([
        ...signed,
        { type: "native", data: { search: "coats" }, opens: "s1" },
        { type: "native", data: { found: 3 }, closes: "s1" },
        { type: "tool-input-start", key: "a", id: "c1", name: "read" },
        { type: "tool-input-end", key: "a", text: '{"path":"a"}' },
        ...ends("tool-use"),
      ]),
    },
    turn: { stopReason: "tool-use", calls: [{ name: "read", input: { path: "a" } }] },
    replays: [
      { type: "thinking", text: "Hm.", providerData: { signature: "c2ln" } },
      { search: "coats" },
      { found: 3 },
    ],
  },
  {
    name: "a server call without a result",
    frames: {
      upToTerminal: json([
        { type: "native", data: { search: "coats" }, opens: "s1" },
        { type: "text", text: "Cut" },
        ...ends("length", cap),
      ]),
    },
    turn: { stopReason: "length", calls: [] },
    omits: [{ search: "coats" }],
  },
];

/** The mock's protocol from the server's side: turn events as JSON. */
export const wire: Wire = {
  name: "mock",
  nativeStops: {
    stop: "stop",
    "tool-use": "tool-use",
    length: "length",
    "context-window": "context-window",
    pause: "pause",
    refusal: "refusal",
    "content-filter": "content-filter",
    "malformed-tool-call": "malformed-tool-call",
    error: "error",
    unknown: "unknown",
  },
  frames: ({ blocks, stop, output }) => ({
    upToTerminal: json([
      ...blocks.flatMap((block, key): object[] =>
        "text" in block
          ? [{ type: "text", text: block.text }]
          : [
              { type: "tool-input-start", key, id: block.id, name: block.name },
              ...pieces(JSON.stringify(block.input)).map((text) => ({
                type: "tool-input-delta",
                key,
                text,
              })),
              { type: "tool-input-end", key },
            ],
      ),
      { type: "usage", usage: { input: 9, output } },
      { type: "stop", native: stop, provisional: false },
    ]),
  }),
  ends: true,
  fixtures: fixtures,
  errors: [
    {
      frame: JSON.stringify({ type: "error", native: "server_error", message: "Broken." }),
      kind: "server",
    },
  ],
  violations: (body) =>
    (body as Body).messages.flatMap(({ role, content }, at, all) =>
      role === "user"
        ? []
        : unanswered(at, all, content).map((message) => ({ message, part: all[at] })),
    ),
};

const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,24}/g) ?? [];

/**
 * Each call must have its result in the next message, and each result its call in the message
 * before.
 */
function unanswered(
  at: number,
  all: Body["messages"],
  content: Body["messages"][number]["content"],
): readonly string[] {
  const ids = (message: Body["messages"][number] | undefined, type: string): string =>
    typeof message?.content === "object"
      ? message.content.flatMap((block) => (block.type === type ? [block.id] : [])).join(", ")
      : "";
  const broken = content.length === 0 ? [`message ${at} is empty`] : [];
  const calls = ids(all[at], "tool-call");
  if (calls !== ids(all[at + 1], "tool-result"))
    return [...broken, `the calls [${calls}] of message ${at} are not answered in the next one`];
  return broken;
}
