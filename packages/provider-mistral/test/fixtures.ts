import type { Fixture, ReplyCall } from "@fullstop/conformance";
import { call, chunk, type Fields, frames, role } from "./chunks.ts";

const read: ReplyCall = { id: "D681PevKs", name: "read", input: { path: "/srv/notes.txt" } };
const write: ReplyCall = {
  id: "VvvODy9mT",
  name: "write",
  input: { path: "/srv/out.txt", content: "one" },
};
const calls = (...list: readonly Fields[]): Fields => ({ content: "", tool_calls: list });
const thinking = (text: string): Fields =>
  chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] });
const runs = (...list: readonly ReplyCall[]): Fixture["turn"] => ({
  stopReason: "tool-use",
  calls: list.map(({ name, input }) => ({ name, input })),
});
const ending = { stop: "tool_calls" };

/** Replies that only Mistral sends. */
export const fixtures: readonly Fixture[] = [
  {
    name: "arguments as an object",
    frames: frames([
      role,
      chunk(calls(call(read, { function: { name: read.name, arguments: read.input } })), ending),
    ]),
    turn: runs(read),
    replays: ["D681PevKs"],
    source: "https://docs.mistral.ai/api: FunctionCall.arguments is an object or a string",
  },
  {
    name: "parallel calls without an index, complete and with the finish reason",
    frames: frames([role, chunk(calls(call(read), call(write)), ending)]),
    turn: runs(read, write),
    replays: ["D681PevKs", "VvvODy9mT"],
  },
  {
    name: "parallel calls that both have the index 0",
    frames: frames([
      role,
      chunk(calls(call(read, { index: 0 }))),
      chunk(calls(call(write, { index: 0 })), ending),
    ]),
    turn: runs(read, write),
  },
  {
    name: "a call in pieces, of which only the first has a name",
    frames: frames([
      role,
      chunk(calls(call(read, { index: 0, function: { name: "read", arguments: '{"path":' } }))),
      chunk(calls({ index: 0, function: { arguments: '"/srv/notes.txt"}' } })),
      chunk({ content: "" }, ending),
    ]),
    turn: runs(read),
    source: "vercel/ai b8100f3",
  },
  {
    name: "thinking in parts of the content, then a call",
    frames: frames([
      role,
      thinking("I should "),
      thinking("read."),
      chunk({ content: [{ type: "text", text: "Reading." }] }),
      chunk(calls(call(read, { index: 0 })), ending),
    ]),
    turn: runs(read),
    source: "litellm#16272",
  },
  {
    name: "an error after a complete call",
    frames: frames([
      role,
      chunk(calls(call(read, { index: 0 }))),
      {
        object: "error",
        message: "Service tier capacity exceeded for this model.",
        type: "service_tier_capacity_exceeded",
        param: null,
        code: "3505",
      },
    ]),
    turn: { stopReason: "error", calls: [] },
    source: "continue#6185, litellm#25078",
  },
];
