import {
  type AssistantMessage,
  createGate,
  type Message,
  readTurn,
  type Turn,
} from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { describe, expect, test } from "vitest";
import {
  block,
  bytes,
  type Event,
  messageDelta,
  messageStart,
  messageStop,
  reply,
  text,
  thinking,
  tool,
  usage,
} from "./events.ts";
import { jsonResponse, serve } from "./server.ts";

const user: Message = { role: "user", content: "Go." };
const adapter = anthropic("claude-sonnet-5-5");
const read = (events: readonly unknown[]): Turn => {
  const gate = createGate(adapter, { maxTokens: 1000 });
  for (const event of events) gate.push(event);
  return gate.end();
};
/** What the API gets back of a reply. */
async function replayed(events: readonly Event[]): Promise<readonly Record<string, unknown>[]> {
  const server = serve(events, reply("end_turn", text(0, "ok")));
  const turn = await readTurn(server.adapter(), { messages: [user] });
  const results = turn.calls.map(
    ({ id, name }) => ({ type: "tool-result", id, name, content: "ok" }) as const,
  );
  const answers: Message[] = results.length > 0 ? [{ role: "tool", content: results }] : [];
  await readTurn(server.adapter(), {
    messages: [user, turn.message as AssistantMessage, ...answers],
  });
  return server.requests[1]?.body.messages[1].content;
}

describe("blocks come back to the API as it sent them", () => {
  const call = (index: number): object => ({
    type: "tool_use",
    id: `toolu_${index}`,
    name: "read",
    input: { path: "a" },
  });
  const called = (index: number): readonly Event[] => tool(index, "read", '{"path":"a"}');

  test("thinking with its last signature", async () => {
    const signed = block(
      0,
      { type: "thinking", thinking: "" },
      { type: "thinking_delta", thinking: "hm" },
      { type: "signature_delta", signature: "draft" },
      { type: "signature_delta", signature: "sig" },
    );
    expect(await replayed(reply("tool_use", signed, called(1)))).toEqual([
      { type: "thinking", thinking: "hm", signature: "sig" },
      call(1),
    ]);
  });
  test("thinking whose words are withheld", async () => {
    expect(await replayed(reply("tool_use", thinking(0, "", "sig"), called(1)))).toEqual([
      { type: "thinking", thinking: "", signature: "sig" },
      call(1),
    ]);
  });
  test("thinking without a signature, or with a delta nobody knows, is left out and spoils nothing beside it", async () => {
    const unknown = block(
      1,
      { type: "thinking", thinking: "two" },
      { type: "shape_delta", shape: 1 },
      { type: "signature_delta", signature: "sig 2" },
    );
    expect(
      await replayed(
        reply("tool_use", thinking(0, "one"), unknown, thinking(2, "three", "sig 3"), called(3)),
      ),
    ).toEqual([{ type: "thinking", thinking: "three", signature: "sig 3" }, call(3)]);
  });
  test("redacted thinking, and blocks of a type that is new", async () => {
    const redacted = { type: "redacted_thinking", data: "opaque" };
    const fresh = { type: "hologram", depth: { of: 3 } };
    expect(
      await replayed(reply("tool_use", block(0, redacted), block(1, fresh), called(2))),
    ).toEqual([redacted, fresh, call(2)]);
  });
  test("citations, on the text that they belong to", async () => {
    const citation = {
      type: "char_location",
      cited_text: "x",
      document_index: 0,
      document_title: null,
      start_char_index: 0,
      end_char_index: 1,
      file_id: null,
    };
    const cited = block(
      1,
      { type: "text", text: "", citations: [] },
      { type: "text_delta", text: "B" },
      { type: "citations_delta", citation },
    );
    const { file_id: _, ...sent } = citation;
    expect(await replayed(reply("end_turn", text(0, "A"), cited, text(2, "C")))).toEqual([
      { type: "text", text: "A" },
      { type: "text", text: "B", citations: [sent] },
      { type: "text", text: "C" },
    ]);
  });
  test("server tools with their input put together, MCP tools, and their results", async () => {
    const fetched = [
      ...block(
        0,
        { type: "server_tool_use", id: "srv_1", name: "web_fetch", input: {} },
        { type: "input_json_delta", partial_json: '{"url":' },
        { type: "input_json_delta", partial_json: '"u"}' },
      ),
      ...block(1, {
        type: "web_fetch_tool_result",
        tool_use_id: "srv_1",
        content: { type: "web_fetch_tool_result_error", error_code: "unavailable" },
      }),
      ...block(2, {
        type: "mcp_tool_use",
        id: "mcp_1",
        name: "list",
        server_name: "files",
        input: {},
      }),
      ...block(3, { type: "mcp_tool_result", tool_use_id: "mcp_1", is_error: false, content: [] }),
    ];
    expect(await replayed(reply("end_turn", fetched, text(4, "Done.")))).toEqual([
      { type: "server_tool_use", id: "srv_1", name: "web_fetch", input: { url: "u" } },
      {
        type: "web_fetch_tool_result",
        tool_use_id: "srv_1",
        content: { type: "web_fetch_tool_result_error", error_code: "unavailable" },
      },
      { type: "mcp_tool_use", id: "mcp_1", name: "list", server_name: "files", input: {} },
      { type: "mcp_tool_result", tool_use_id: "mcp_1", is_error: false, content: [] },
      { type: "text", text: "Done." },
    ]);
  });
  test("a server tool that may change something is told of when it begins, one that is not known included", () => {
    const begun = (type: string, name: string): unknown => [
      messageStart,
      {
        type: "content_block_start",
        index: 0,
        content_block: { type, id: "srvtoolu_1", name, input: {} },
      },
    ];
    const tells = (type: string, name: string): boolean =>
      read(begun(type, name) as readonly Event[]).sideEffects ?? false;
    for (const name of [
      "code_execution",
      "bash_code_execution",
      "text_editor_code_execution",
      "x_later",
    ])
      expect([name, tells("server_tool_use", name)]).toEqual([name, true]);
    for (const name of [
      "web_search",
      "web_fetch",
      "tool_search_tool_regex",
      "tool_search_tool_bm25",
      "advisor",
    ])
      expect([name, tells("server_tool_use", name)]).toEqual([name, false]);
    expect(tells("mcp_tool_use", "create_issue")).toBe(true);
    expect(tells("tool_use", "write")).toBe(false);
  });
  test("a server tool's input that was cut is left out", async () => {
    const cut = block(
      1,
      { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
      { type: "input_json_delta", partial_json: '{"query":"x' },
    );
    expect(await replayed(reply("max_tokens", text(0, "Looking."), cut))).toEqual([
      { type: "text", text: "Looking." },
    ]);
  });
  test("a native block that was cut, or grew by a delta nobody knows, is left out", async () => {
    const cut = block(
      1,
      { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
      { type: "input_json_delta", partial_json: '{"query":"x' },
    );
    const grown = block(2, { type: "hologram" }, { type: "depth_delta", depth: 3 });
    expect(await replayed(reply("pause_turn", text(0, "Looking."), cut, grown))).toEqual([
      { type: "text", text: "Looking." },
    ]);
  });
  test("a compaction block, whose delta is its final value", async () => {
    const compacted = block(
      0,
      { type: "compaction", content: null, encrypted_content: null },
      { type: "compaction_delta", content: "So far.", encrypted_content: "enc" },
    );
    expect(await replayed(reply("end_turn", compacted, text(1, "Hi.")))).toEqual([
      { type: "compaction", content: "So far.", encrypted_content: "enc" },
      { type: "text", text: "Hi." },
    ]);
  });
  test("who called a tool, and the toolset it belongs to", async () => {
    const caller = { type: "code_execution_20260120", tool_id: "srv_1" };
    const member = block(0, {
      type: "tool_use",
      id: "t",
      name: "navigate",
      input: { url: "u" },
      caller,
      toolset_name: "browser",
    });
    expect(await replayed(reply("tool_use", member))).toEqual([
      {
        type: "tool_use",
        id: "t",
        name: "navigate",
        input: { url: "u" },
        caller,
        toolset_name: "browser",
      },
    ]);
  });
});

describe("a reply that contradicts itself gives out no call", () => {
  const called = tool(0, "read", '{"path":"a"}');
  const [start, delta] = called;
  const ending = [messageDelta("tool_use"), messageStop];
  test.each<[string, readonly unknown[]]>([
    ["a second start of the reply", [messageStart, ...called, messageStart, ...ending]],
    ["a block started twice", [messageStart, start, ...called, ...ending]],
    [
      "a delta to a block that was never started",
      [
        messageStart,
        ...called,
        { type: "content_block_delta", index: 7, delta: { type: "text_delta", text: "x" } },
        ...ending,
      ],
    ],
    [
      "a delta that does not fit its block",
      [
        messageStart,
        ...called,
        ...block(1, { type: "text", text: "" }, { type: "input_json_delta", partial_json: "{}" }),
        ...ending,
      ],
    ],
    [
      "an input that only came in unknown deltas",
      [
        messageStart,
        start,
        { type: "content_block_delta", index: 0, delta: { type: "json_patch" } },
        called.at(-1),
        ...ending,
      ],
    ],
    [
      "a piece of input without text",
      [
        messageStart,
        start,
        { type: "content_block_delta", index: 0, delta: { type: "input_json_delta" } },
        ...called.slice(2),
        ...ending,
      ],
    ],
    [
      "a block without a type",
      [
        messageStart,
        { type: "content_block_start", index: 1, content_block: { id: "x" } },
        ...called,
        ...ending,
      ],
    ],
    ["an event that is no object", [messageStart, ...called, null, ...ending]],
  ])("%s", (_, events) => {
    const turn = read(events);
    expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
    expect(turn.stopReason === "interrupted" && turn.error.kind).toBe("malformed-reply");
  });

  test("unknown events, pings, and unknown deltas beside text or a whole input are ignored", () => {
    const odd = block(1, { type: "text", text: "Hi" }, { type: "tone_delta", tone: "warm" });
    const turn = read([
      { type: "ping" },
      messageStart,
      { type: "weather" },
      start,
      delta,
      { type: "content_block_delta", index: 0, delta: { type: "note" } },
      ...called.slice(2),
      ...odd,
      ...ending,
    ]);
    expect([turn.stopReason, turn.text]).toEqual(["tool-use", "Hi"]);
  });
});

describe("errors inside a reply", () => {
  test.each([
    [
      {
        type: "error",
        error: { type: "overloaded_error", message: "Overloaded" },
        request_id: "r",
      },
      "overloaded",
      "Overloaded",
    ],
    [{ error: { type: "api_error", message: "Boom" } }, "server", "Boom"],
    [{ type: "error", error: "out of memory" }, "server", "out of memory"],
    [
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "prompt is too long: 9 tokens > 5 maximum",
        },
      },
      "context-window",
      "prompt is too long: 9 tokens > 5 maximum",
    ],
  ])("%j is of kind %s", (event, kind, message) => {
    const turn = read([
      messageStart,
      ...tool(0, "read", "{}"),
      event,
      messageDelta("tool_use"),
      messageStop,
    ]);
    expect(turn.calls).toEqual([]);
    expect("error" in turn && turn.error).toMatchObject({ kind, message });
  });
});

describe("usage", () => {
  test("input counts what was read from and written to the cache, once", async () => {
    const start = {
      ...messageStart,
      message: {
        ...(messageStart["message"] as object),
        usage: { ...usage, cache_read_input_tokens: 500, cache_creation_input_tokens: 40 },
      },
    };
    const turn = read([
      start,
      ...text(0, "Hi."),
      messageDelta("end_turn", {
        usage: { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 7 },
      }),
      messageStop,
    ]);
    expect(turn.usage).toEqual({ input: 550, output: 7, cacheRead: 500, cacheWrite: 40 });
  });
  test("a count that the last event raises replaces the first", () => {
    const turn = read([
      messageStart,
      ...text(0, "Hi."),
      messageDelta("end_turn", { usage: { input_tokens: 900, output_tokens: 7 } }),
      messageStop,
    ]);
    expect(turn.usage).toMatchObject({ input: 900, output: 7 });
  });
  test("a reply without usage is read", () => {
    const turn = read([
      { type: "message_start", message: {} },
      ...text(0, "Hi."),
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      messageStop,
    ]);
    expect(turn.stopReason).toBe("stop");
  });
});

describe("a whole reply", () => {
  const whole = {
    ...(messageStart["message"] as object),
    stop_reason: "tool_use",
    usage: { ...usage, output_tokens: 20 },
    container: { id: "container_1" },
    content: [
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "text", text: "Reading.", citations: null },
      { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
      { type: "tool_use", id: "toolu_2", name: "list", input: {} },
    ],
  };
  test("reads as the same reply in a stream", async () => {
    const stream = [
      messageStart,
      ...thinking(0, "hm", "sig"),
      ...text(1, "Reading."),
      ...block(
        2,
        { type: "tool_use", id: "toolu_1", name: "read", input: {} },
        { type: "input_json_delta", partial_json: '{"path":"a"}' },
      ),
      ...block(3, { type: "tool_use", id: "toolu_2", name: "list", input: {} }),
      messageDelta("tool_use", { delta: { container: { id: "container_1" } } }),
      messageStop,
    ];
    expect(read([whole])).toEqual(read(stream));
    const turn = await readTurn(serve(() => jsonResponse(whole)).adapter({ stream: false }), {
      messages: [user],
      maxTokens: 1000,
    });
    expect(turn).toEqual({ ...read(stream), requestId: "req_1" });
  });
  test("cut in the middle is interrupted", async () => {
    const half = new Response(bytes([]) + JSON.stringify(whole).slice(0, -20), {
      headers: { "content-type": "application/json" },
    });
    const turn = await readTurn(serve(() => half).adapter({ stream: false }), { messages: [user] });
    expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
  });
});
