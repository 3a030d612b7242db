// Replies whose calls are taken out, or stand twice, and the replies that follow them.
import { startPrefixServer, type Written, type WrittenReply } from "./prefix-server.ts";

/** A call of the tool `write`. */
const writes = (path: string, more: object = {}): Written => ({
  call: "write",
  id: `toolu_${path}`,
  input: { path },
  ...more,
});
const thinks = (thinking: string): Written => ({ thinking });
const says = (text: string): Written => ({ text });

/** A tool that the provider runs: its call, and its result. */
const search: readonly Written[] = [
  {
    block: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "a" } },
  },
  { block: { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] } },
];

export interface Cell {
  readonly reply: WrittenReply;
  /** The paths that the calls of this reply may write. */
  readonly runs: readonly string[];
}

const first = thinks("I need a.");
const second = thinks("Now b.");
const withheld = (stop: string, ...blocks: readonly Written[]): Cell => ({
  reply: { stop, blocks },
  runs: [],
});
const cutAt = "max_tokens";
const cut = writes("b", { input: '{"path":"' });

export const cells: Readonly<Record<string, Cell>> = {
  "cut at the cap": withheld(cutAt, first, writes("a"), second, cut),
  "cut at the cap, its inputs whole": withheld(cutAt, first, writes("a"), second, writes("b")),
  refused: withheld("refusal", first, writes("a"), second, writes("b")),
  "not JSON": withheld("tool_use", first, writes("a", { input: "{'path'}" }), second, writes("b")),
  "an unknown stop reason": withheld("new_word", first, writes("a"), second, writes("b")),
  "a full window": withheld(
    "model_context_window_exceeded",
    first,
    writes("a"),
    second,
    writes("b"),
  ),
  "with text between": withheld(
    cutAt,
    first,
    says("First a."),
    writes("a"),
    second,
    says("Then b."),
    cut,
  ),
  "not JSON, with text between": withheld(
    "tool_use",
    first,
    says("First a."),
    writes("a", { input: "{'path'}" }),
    second,
    says("Then b."),
    writes("b"),
  ),
  "not JSON, with hidden thinking": withheld(
    "tool_use",
    says("First a."),
    writes("a", { input: "{'path'}" }),
    { redacted: true },
    says("Then b."),
    writes("b"),
  ),
  "with a text at its end": withheld(cutAt, first, writes("a"), second, says("Then b.")),
  "with three calls": withheld(
    cutAt,
    first,
    says("First a."),
    writes("a"),
    second,
    writes("c"),
    thinks("Now b."),
    cut,
  ),
  "with hidden thinking": withheld(cutAt, first, writes("a"), { redacted: true }, cut),
  "hidden thinking alone": withheld(
    cutAt,
    { redacted: true },
    says("First a."),
    writes("a"),
    { redacted: true },
    says("Then b."),
    cut,
  ),
  "a call before all thinking": withheld(cutAt, writes("a"), first, says("Then b."), cut),
  "with a search between": withheld(
    cutAt,
    first,
    writes("a"),
    second,
    ...search,
    thinks("Found it."),
    says("Then b."),
    cut,
  ),
  paused: withheld("pause_turn", first, writes("a"), second, writes("b")),
  "broken off": {
    reply: { stop: "tool_use", breaks: true, blocks: [first, writes("a"), second, writes("b")] },
    runs: [],
  },
  doubled: {
    reply: { stop: "tool_use", blocks: [first, writes("a"), second, writes("b", { copies: 2 })] },
    runs: ["a", "b"],
  },
  "its first call doubled": {
    reply: { stop: "tool_use", blocks: [first, writes("a", { copies: 2 }), second, writes("b")] },
    runs: ["a", "b"],
  },
  finished: {
    reply: { stop: "tool_use", blocks: [first, writes("a"), second, says("Then b."), writes("b")] },
    runs: ["a", "b"],
  },
};

/** What the model says after the reply of a cell: with a call, and then without. */
const later: readonly WrittenReply[] = [
  { stop: "tool_use", blocks: [thinks("Again."), says("Now d."), writes("d")] },
  { stop: "end_turn", blocks: [thinks("Well."), says("Done.")] },
  { stop: "end_turn", blocks: [thinks("So."), says("Bye.")] },
];
/** What `later` writes. */
export const laterRuns = ["d"];

/** A client with the tool `write`. It asks once, and goes on until the model has ended its turn. */
export type Ask = (url: string, question: string) => Promise<void>;

/** The client asks until the model has said everything. Returns why requests were refused. */
export async function askAll(
  { reply }: Cell,
  ask: Ask,
  before: readonly WrittenReply[] = [],
): Promise<readonly string[]> {
  await using server = await startPrefixServer([...before, reply, ...later]);
  for (let asked = 0; server.left() > 0 && asked < 8; asked++)
    await ask(server.url, asked === 0 ? "Write a and b." : "Please go on.");
  return server.left() === 0
    ? server.refusals
    : [...server.refusals, `${server.left()} replies were never asked for`];
}

interface PlainReply {
  readonly content: readonly unknown[];
}

/** A plain loop over the vendor's SDK. `replyOf` gives nothing if the request failed. */
export function createPlainClient<Message>(
  replyOf: (url: string, messages: Message[]) => Promise<PlainReply | undefined>,
): { readonly ran: readonly string[]; readonly ask: Ask } {
  const ran: string[] = [];
  const messages: Message[] = [];
  const say = (role: "user" | "assistant", content: unknown): void =>
    void messages.push({ role, content } as unknown as Message);
  const run = ({ id, input }: PlainCall) => {
    ran.push(input.path);
    return { type: "tool_result", tool_use_id: id, content: "Written." };
  };
  return {
    ran,
    async ask(url, question) {
      say("user", question);
      for (let step = 0; step < 4; step++) {
        const reply = await replyOf(url, messages);
        if (reply === undefined) return void messages.pop();
        say("assistant", reply.content);
        const calls = reply.content.filter(isCall);
        if (calls.length === 0) return;
        say("user", calls.map(run));
      }
    },
  };
}

type PlainCall = { readonly id: string; readonly input: { readonly path: string } };
const isCall = (block: unknown): block is PlainCall =>
  typeof block === "object" && block !== null && "type" in block && block.type === "tool_use";

/** Each cell streamed and in one piece. */
export const ways: readonly { name: string; stream: boolean; cell: Cell }[] = [true, false].flatMap(
  (stream) =>
    Object.entries(cells).map(([name, cell]) => ({
      name: `${name}, ${stream ? "streamed" : "in one piece"}`,
      stream,
      cell,
    })),
);
