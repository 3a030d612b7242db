import { createGate, readTurn, type Turn } from "@fullstop/core";
import { anthropicReply } from "@fullstop/provider-anthropic/reply";
import { jsonResponse } from "@tooling/test/fake-server";
import { describe, expect, test } from "vitest";
import {
  block,
  bytes,
  messageDelta,
  messageStart,
  messageStop,
  text,
  thinking,
  tool,
  usage,
} from "./events.ts";
import { serve } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const read = (events: readonly unknown[]): Turn => {
  const gate = createGate(anthropicReply("claude-sonnet-5-5"), { maxTokens: 1000 });
  for (const event of events) gate.push(event);
  return gate.end();
};

describe("a reply that contradicts itself gives out no call", () => {
  const called = tool(0, "read", '{"path":"a"}');
  const [start, delta] = called;
  const ending = [messageDelta("tool_use"), messageStop];
  test.each<[string, readonly unknown[]]>([
    ["a second start of the reply", [messageStart, ...called, messageStart, ...ending]],
    ["a start behind a call", [...called, messageStart, ...ending]],
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
    ...[null, undefined, "input_json", "ping"].flatMap((type) =>
      [
        { type: "content_block_delta", index: 0, delta: { type, partial_json: '{"a":1}' } },
        { type, index: 0, delta: { type: "input_json_delta", partial_json: '{"a":1}' } },
      ].map((piece, at): [string, readonly unknown[]] => [
        `a piece of an input of which the ${["delta", "event"][at]} has the type ${type}`,
        [messageStart, start, piece, ...called.slice(1), ...ending],
      ]),
    ),
    [
      "white space of an input in an event without a type",
      [
        messageStart,
        start,
        { index: 0, delta: { type: "input_json_delta", partial_json: " " } },
        ...called.slice(1),
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
    ...["tool_call", "function_call", "toolUse"].map((type): [string, readonly unknown[]] => [
      `a call whose block has the type ${type}`,
      [
        messageStart,
        ...block(0, { type, id: "x", name: "read", input: {} }),
        messageDelta("end_turn"),
        messageStop,
      ],
    ]),
    ...["arguments", "parameters"].map((name): [string, readonly unknown[]] => [
      `an input in ${name}`,
      [
        messageStart,
        ...block(0, { type: "tool_use", id: "x", name: "list", [name]: { path: "a" } }),
        ...ending,
      ],
    ]),
    [
      "calls beside the content of a message",
      [
        {
          ...(messageStart["message"] as object),
          content: [{ type: "text", text: "Hi." }],
          tool_calls: [{ function: { name: "read", arguments: "{}" } }],
          stop_reason: "end_turn",
        },
      ],
    ],
  ])("%s", (_, events) => {
    const turn = read(events);
    expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
    expect(turn.stopReason === "interrupted" && turn.error.kind).toBe("malformed-reply");
  });

  test("unknown events, pings, and unknown deltas of text or of a complete input are ignored", () => {
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
  test("input includes tokens read from and written to the cache, once", async () => {
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
  test("a higher count of the last event replaces the first", () => {
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

describe("a reply in one piece", () => {
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
  test("gives the same turn as a stream", async () => {
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
      ...request,
      maxTokens: 1000,
    });
    expect(turn).toEqual({ ...read(stream), requestId: "req_1" });
  });
  test("cut in the middle is interrupted", async () => {
    const half = new Response(bytes([]) + JSON.stringify(whole).slice(0, -20), {
      headers: { "content-type": "application/json" },
    });
    const turn = await readTurn(serve(() => half).adapter({ stream: false }), request);
    expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
  });
});
