import {
  type AssistantMessage,
  createGate,
  type Message,
  readTurn,
  type Turn,
} from "@fullstop/core";
import { anthropicReply } from "@fullstop/provider-anthropic/reply";
import { describe, expect, test } from "vitest";
import { block, type Event, messageStart, reply, text, thinking, tool } from "./events.ts";
import { serve } from "./server.ts";

const user: Message = { role: "user", content: "Go." };
const read = (events: readonly unknown[]): Turn => {
  const gate = createGate(anthropicReply("claude-sonnet-5-5"), { maxTokens: 1000 });
  for (const event of events) gate.push(event);
  return gate.end();
};
/** The content that the API gets back after a reply. */
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

describe("deltas that hold nothing", () => {
  const path = '{"path":"a"}';
  const withDelta = (delta: object | null, type = "tool_use"): readonly unknown[] => {
    const blocks: Readonly<Record<string, readonly Event[]>> = {
      tool_use: tool(0, "read", path),
      text: text(0, "Hi."),
      thinking: thinking(0, "hm", "sig"),
    };
    const [start, ...rest] = blocks[type] ?? [];
    const added = { type: "content_block_delta", index: 0, delta };
    const late = JSON.stringify(delta).includes("\\n") ? [] : [added];
    return reply("tool_use", [start as Event, added, ...rest, ...late], tool(1, "read", path));
  };
  test.each([
    { type: "text_delta", text: "" },
    { type: "text_delta", text: "\n" },
    { type: "text_delta", text: null },
    { type: "thinking_delta", thinking: "" },
    { type: "thinking_delta", thinking: null },
    { type: "signature_delta", signature: null },
    { type: "input_json_delta", partial_json: "" },
    { type: "input_json_delta", partial_json: null },
    null,
  ])("%j changes no block", (delta) => {
    for (const type of ["tool_use", "text", "thinking"]) {
      const isText = delta?.type === "text_delta" && delta.text === "\n" && type === "text";
      if (isText) continue;
      const { stopReason, calls } = read(withDelta(delta as object | null, type));
      expect([type, stopReason, calls.length]).toEqual([
        type,
        "tool-use",
        type === "tool_use" ? 2 : 1,
      ]);
    }
  });
  test.each([
    ["tool_use", { type: "text_delta", text: "Hi" }],
    ["tool_use", { type: "thinking_delta", thinking: "hm" }],
    ["text", { type: "input_json_delta", partial_json: "{" }],
    ["thinking", { type: "input_json_delta", partial_json: "{" }],
    ["text", { type: "x_new", partial_json: "{" }],
    ["tool_use", { type: "input_json_delta" }],
  ])("in a block of type %s, %j is none", (type, delta) => {
    expect(read(withDelta(delta, type))).toMatchObject({ stopReason: "interrupted", calls: [] });
  });
  test("a call without an input may have white space beside it", () => {
    const [start, , , end] = tool(0, "list", "{}") as readonly [Event, Event, Event, Event];
    const blank = {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: "\n" },
    };
    expect(read(reply("tool_use", [start, blank, end])).calls).toMatchObject([{ input: {} }]);
  });
  test("a piece of an input behind the end of its block contradicts it", () => {
    const [start, one, two, end] = tool(0, "read", path) as readonly [Event, Event, Event, Event];
    expect(read(reply("tool_use", [start, one, end, two]))).toMatchObject({ calls: [] });
    expect(read(reply("tool_use", [start, one, end, two, end]))).toMatchObject({ calls: [] });
  });
});

describe("blocks are sent back to the API unchanged", () => {
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
  test("thinking whose text is withheld", async () => {
    expect(await replayed(reply("tool_use", thinking(0, "", "sig"), called(1)))).toEqual([
      { type: "thinking", thinking: "", signature: "sig" },
      call(1),
    ]);
  });
  test("thinking without a signature, or with an unknown delta, is left out alone", async () => {
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
  test("redacted thinking, and blocks of a new type", async () => {
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
  test("server tools with their joined input, MCP tools, and their results", async () => {
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
  test("a server tool with possible side effects is reported when it starts, unknown ones too", () => {
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
  test("a native block that was cut, or that has an unknown delta, is left out", async () => {
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
  test("the caller of a tool, and its toolset", async () => {
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
