import type { Fixture } from "../../../wire.ts";
import { type Block, message, serverToolUse, text, whole } from "../frames.ts";
import { nothing, read, readUse, runsRead, search, serverUse } from "./parts.ts";

const deferred = serverUse("srvtoolu_09", "web_search", { query: "later" });
const remoteUse = (input: object): Block["start"] => ({
  type: "mcp_tool_use",
  id: "mcptoolu_01",
  name: "read",
  server_name: "files",
  input,
});
const remoteResult: Block["start"] = {
  type: "mcp_tool_result",
  tool_use_id: "mcptoolu_01",
  is_error: false,
  content: [{ type: "text", text: "Notes." }],
};
export const serverSamples: readonly Fixture[] = [
  {
    name: "two searches on the server, then a call; tokens counted over all samplings",
    frames: message(
      [
        serverToolUse("srvtoolu_01", "web_search", { query: "a" }),
        whole(search(1)),
        serverToolUse("srvtoolu_02", "web_search", { query: "b" }),
        whole(search(2)),
        readUse,
      ],
      { stop: "tool_use", output: 9000 },
    ),
    turn: runsRead,
    replays: [serverUse("srvtoolu_01", "web_search", { query: "a" }), search(1), search(2)],
    source: "the SDK's type of usage: token accumulation across server-side tool use loops",
  },
  {
    name: "a server call whose result comes in the next reply, beside a call",
    frames: message([serverToolUse("srvtoolu_09", "web_search", { query: "later" }), readUse], {
      stop: "tool_use",
    }),
    turn: runsRead,
    replays: [deferred],
    source: "https://github.com/anthropics/anthropic-sdk-typescript/issues/1090",
  },
  {
    name: "a server call without its result, cut at the cap",
    frames: message(
      [text("Searching."), serverToolUse("srvtoolu_09", "web_search", { query: "later" })],
      {
        stop: "max_tokens",
        output: 1024,
      },
    ),
    turn: nothing("length"),
    omits: [deferred],
  },
  {
    name: "paused in a container",
    frames: message([serverToolUse("srvtoolu_05", "code_execution", { code: "print(1)" })], {
      stop: "pause_turn",
      delta: { container: { id: "container_011CP", expires_at: "2026-11-21T12:00:00Z" } },
    }),
    turn: nothing("pause"),
    replays: [serverUse("srvtoolu_05", "code_execution", { code: "print(1)" }), "container_011CP"],
    source: "big-AGI#1010",
  },
  {
    name: "paused, with a call of the client's beside the server's",
    frames: message([serverToolUse("srvtoolu_05", "web_search", { query: "a" }), readUse], {
      stop: "pause_turn",
    }),
    turn: nothing("pause"),
    omits: [{ type: "tool_use", id: "toolu_01Read", ...read }],
  },
  {
    name: "a remote tool that the server ran",
    frames: message(
      [
        { ...serverToolUse("mcptoolu_01", "read", read.input), start: remoteUse({}) },
        whole(remoteResult),
        text("Read."),
      ],
      {
        stop: "end_turn",
      },
    ),
    turn: nothing("stop"),
    replays: [remoteUse(read.input), remoteResult],
    source: "claude-code#64383: one of the pair is dropped, and the next request is a 400",
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
            {
              type: "citations_delta",
              citation: {
                type: "web_search_result_location",
                url: "https://example.com/",
                title: "Example",
                encrypted_index: "Eo8B",
                cited_text: "Yes",
              },
            },
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
    frames: message([whole({ type: "x_later_block", payload: { a: [1] } }), readUse], {
      stop: "tool_use",
    }),
    turn: runsRead,
    replays: [{ type: "x_later_block", payload: { a: [1] } }],
  },
];
