import type { Sample } from "../../wire.ts";
import { begun, delta, json, message, serverToolUse, text, thinking, toFrames, toolUse, whole } from "./frames.ts";

const read = { name: "read", input: { path: "/srv/notes.txt" } };
const readUse = toolUse("toolu_01Read", read.name, read.input);
const runsRead: Sample["turn"] = { stopReason: "tool-use", calls: [read] };
const nothing = (stopReason: Sample["turn"]["stopReason"]): Sample["turn"] => ({ stopReason, calls: [] });
const search = (n: number): Parameters<typeof whole>[0] => ({
  type: "web_search_tool_result",
  tool_use_id: `srvtoolu_0${n}`,
  content: [{ type: "web_search_result", url: "https://example.com/", title: "Example", encrypted_content: "EqQB", page_age: null }],
});
const thought = (said: string, signature: string): object => ({ type: "thinking", thinking: said, signature });
const serverUse = (id: string, name: string, input: object): object => ({ type: "server_tool_use", id, name, input });

const thinkingSamples: readonly Sample[] = [
  {
    name: "thinking with its signature before a call",
    frames: message([thinking("I should read the notes first.", "EqoBCkgIARAB"), readUse], { stop: "tool_use" }),
    turn: runsRead,
    replays: [thought("I should read the notes first.", "EqoBCkgIARAB")],
  },
  {
    name: "two thinking blocks in a row, a signature each",
    frames: message([thinking("First thought.", "sig-one"), thinking("Second thought.", "sig-two"), readUse], { stop: "tool_use" }),
    turn: runsRead,
    replays: [thought("First thought.", "sig-one"), thought("Second thought.", "sig-two")],
  },
  {
    name: "redacted thinking before a call",
    frames: message([whole({ type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4a" }), readUse], { stop: "tool_use" }),
    turn: runsRead,
    replays: [{ type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4a" }],
  },
  {
    name: "a signature without the thinking",
    frames: message([thinking("", "sig-omitted"), readUse], { stop: "tool_use" }),
    turn: runsRead,
    replays: [thought("", "sig-omitted")],
    because: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking (display: omitted)",
  },
  {
    name: "thinking, and a call cut at the cap",
    frames: message([thinking("A long file, then.", "sig-cut"), { ...toolUse("toolu_01Cut", "write", { path: "/srv/a" }), open: true }], { stop: "max_tokens", output: 1024 }),
    turn: nothing("length"),
    omits: [thought("A long file, then.", "sig-cut")],
    because: "forgecode#3073",
  },
  {
    name: "nothing but thinking, at the cap",
    frames: message([thinking("Still thinking.", "sig-all")], { stop: "max_tokens", output: 1024 }),
    turn: nothing("length"),
    omits: [thought("Still thinking.", "sig-all")],
  },
];

const deferred = serverUse("srvtoolu_09", "web_search", { query: "later" });
const serverSamples: readonly Sample[] = [
  {
    name: "two searches on the server, then a call; tokens counted over all samplings",
    frames: message(
      [serverToolUse("srvtoolu_01", "web_search", { query: "a" }), whole(search(1)), serverToolUse("srvtoolu_02", "web_search", { query: "b" }), whole(search(2)), readUse],
      { stop: "tool_use", output: 9000 },
    ),
    turn: runsRead,
    replays: [serverUse("srvtoolu_01", "web_search", { query: "a" }), search(1), search(2)],
    because: "the SDK's type of usage: token accumulation across server-side tool use loops",
  },
  {
    name: "a server call whose result comes in the next reply, beside a call",
    frames: message([serverToolUse("srvtoolu_09", "web_search", { query: "later" }), readUse], { stop: "tool_use" }),
    turn: runsRead,
    replays: [deferred],
    because: "https://github.com/anthropics/anthropic-sdk-typescript/issues/1090",
  },
  {
    name: "a server call without its result, cut at the cap",
    frames: message([text("Searching."), serverToolUse("srvtoolu_09", "web_search", { query: "later" })], { stop: "max_tokens", output: 1024 }),
    turn: nothing("length"),
    omits: [deferred],
  },
  {
    name: "paused in a container",
    frames: message(
      [serverToolUse("srvtoolu_05", "code_execution", { code: "print(1)" })],
      { stop: "pause_turn", delta: { container: { id: "container_011CP", expires_at: "2026-11-21T12:00:00Z" } } },
    ),
    turn: nothing("pause"),
    replays: [serverUse("srvtoolu_05", "code_execution", { code: "print(1)" }), "container_011CP"],
    because: "big-AGI#1010",
  },
  {
    name: "paused, with a call of the client's beside the server's",
    frames: message([serverToolUse("srvtoolu_05", "web_search", { query: "a" }), readUse], { stop: "pause_turn" }),
    turn: nothing("pause"),
    omits: [{ type: "tool_use", id: "toolu_01Read", ...read }],
  },
  {
    name: "text with citations",
    frames: message(
      [
        serverToolUse("srvtoolu_01", "web_search", { query: "a" }),
        whole(search(1)),
        {
          start: { type: "text", text: "", citations: [] },
          deltas: [
            { type: "citations_delta", citation: { type: "web_search_result_location", url: "https://example.com/", title: "Example", encrypted_index: "Eo8B", cited_text: "Yes" } },
            { type: "text_delta", text: "Yes." },
          ],
        },
      ],
      { stop: "end_turn" },
    ),
    turn: nothing("stop"),
    replays: [search(1)],
  },
  {
    name: "a kind of block that nobody knows yet, before a call",
    frames: message([whole({ type: "x_later_block", payload: { a: [1] } }), readUse], { stop: "tool_use" }),
    turn: runsRead,
    replays: [{ type: "x_later_block", payload: { a: [1] } }],
  },
];

const endingSamples: readonly Sample[] = [
  {
    name: "a stop sequence after a closed call",
    frames: message([readUse, text("Observation")], { stop: "stop_sequence", delta: { stop_sequence: "Observation:" } }),
    turn: nothing("stop"),
    omits: [{ type: "tool_use", id: "toolu_01Read", ...read }],
  },
  { name: "a stop sequence after text", frames: message([text("One, two")], { stop: "stop_sequence", delta: { stop_sequence: "three" } }), turn: nothing("stop") },
  {
    name: "a refusal with details, after a closed call",
    frames: message([readUse], { stop: "refusal", delta: { stop_details: { type: "refusal", category: "cyber", explanation: "Not this." } } }),
    turn: nothing("refusal"),
    because: "cursor-byok#423",
  },
  { name: "paused for compaction", frames: message([text("So far.")], { stop: "compaction" }), turn: nothing("pause") },
  { name: "the word for calls, and no block at all", frames: message([], { stop: "tool_use" }), turn: nothing("malformed-tool-call"), because: "pi#9681" },
  { name: "no reason at the end", frames: message([readUse], { stop: null }), turn: nothing("interrupted") },
  { name: "an end without a message_delta", frames: toFrames([...begun([readUse]), { type: "message_stop" }]), turn: nothing("interrupted") },
  { name: "a reason, and no message_stop", frames: toFrames([...begun([readUse]), delta({ stop: "tool_use" })]), turn: nothing("interrupted") },
  { name: "the cap reached, and no message_stop", frames: toFrames([...begun([readUse]), delta({ stop: "max_tokens" })]), turn: nothing("length") },
  {
    name: "two reasons, the worse first",
    frames: toFrames([...begun([readUse]), delta({ stop: "max_tokens" }), delta({ stop: "tool_use" }), { type: "message_stop" }]),
    turn: nothing("length"),
  },
  {
    name: "an error behind a closed call",
    frames: toFrames([...begun([readUse]), { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_011" }]),
    turn: nothing("error"),
  },
  { name: "two messages in one reply", frames: toFrames([...begun([readUse]), ...begun([readUse]), delta({ stop: "tool_use" }), { type: "message_stop" }]), turn: nothing("interrupted") },
];

const inputSamples: readonly Sample[] = [
  {
    name: "the whole input in the block's start, and no delta",
    frames: message([whole({ type: "tool_use", id: "toolu_01Read", ...read })], { stop: "tool_use" }),
    turn: runsRead,
    because: "legal by the SDK's types; sent by compatible hosts",
  },
  {
    name: "a block left open under the word for calls",
    frames: message([{ ...readUse, open: true }], { stop: "tool_use" }),
    turn: nothing("malformed-tool-call"),
    because: "anthropic-sdk-python#1317",
  },
  {
    name: "a closed block with half an input, as eager streaming sends it at the cap",
    frames: message([{ start: { type: "tool_use", id: "toolu_01Cut", name: "write", input: {} }, deltas: json('{"path":"/tmp/x","content":"hello wor') }], { stop: "max_tokens", output: 1024 }),
    turn: nothing("length"),
  },
  {
    name: "a delta of an unknown kind in a text block",
    frames: message([{ ...text("Reading."), deltas: [{ type: "x_later_delta", x: 1 }, ...(text("Reading.").deltas ?? [])] }, readUse], { stop: "tool_use" }),
    turn: runsRead,
    because: "https://platform.claude.com/docs/en/api/versioning",
  },
  {
    name: "deltas of an unknown kind among an input's",
    frames: message([{ ...readUse, deltas: [{ type: "x_later_delta", x: 1 }, ...(readUse.deltas ?? []), { type: "x_later_delta", x: 2 }] }], { stop: "tool_use" }),
    turn: runsRead,
  },
  {
    name: "a call from code that runs on the server",
    frames: message(
      [{ ...readUse, start: { ...readUse.start, caller: { type: "code_execution_20260120", tool_id: "srvtoolu_07" } } }],
      { stop: "tool_use" },
    ),
    turn: runsRead,
    replays: [{ type: "code_execution_20260120", tool_id: "srvtoolu_07" }],
  },
  {
    name: "parallel calls whose deltas are interleaved",
    frames: toFrames(interleaved()),
    turn: { stopReason: "tool-use", calls: [read, { name: "list", input: { of: "b" } }] },
  },
];

function interleaved(): Parameters<typeof toFrames>[0] {
  const start = (index: number, name: string): object => ({ index, content_block: { type: "tool_use", id: `toolu_${index}`, name, input: {} } });
  const piece = (index: number, partial_json: string): object => ({ index, delta: { type: "input_json_delta", partial_json } });
  const event = (type: string, rest: object): { type: string } & Record<string, unknown> => ({ type, ...rest });
  return [
    ...begun([]),
    event("content_block_start", start(0, "read")),
    event("content_block_start", start(1, "list")),
    event("content_block_delta", piece(0, '{"path":"/srv')),
    event("content_block_delta", piece(1, '{"of":')),
    event("content_block_delta", piece(0, '/notes.txt"}')),
    event("content_block_delta", piece(1, '"b"}')),
    event("content_block_stop", { index: 1 }),
    event("content_block_stop", { index: 0 }),
    delta({ stop: "tool_use" }),
    event("message_stop", {}),
  ];
}

export const samples: readonly Sample[] = [...thinkingSamples, ...serverSamples, ...endingSamples, ...inputSamples];
