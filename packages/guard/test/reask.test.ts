import { type GuardReport, guard } from "@fullstop/guard";
import { afterEach, describe, expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest, textBlock } from "./messages.ts";
import { type PlayedReply, readAll, startServer, type TestServer } from "./server.ts";

const json = { "content-type": "application/json" };
const offered = { name: "write_file", input_schema: { type: "object" } };
const cut = messageStart + callBlock(0, "toolu_1", '{"path":"a') + messageEnd("max_tokens", 1024);
const finished =
  messageStart + callBlock(0, "toolu_2", '{"path":"a.txt"}') + messageEnd("tool_use");

const bodyOf = (content: readonly object[], stop_reason: string, output_tokens: number): string =>
  JSON.stringify({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens },
  });
const call = { type: "tool_use", id: "toolu_1", name: "write_file", input: { path: "a" } };
const markup = `<tool_call>\n{"name":"write_file","arguments":{"path":"a"}}\n</tool_call>`;

interface Way {
  readonly stream: boolean;
  /** A reply whose ending the client gets if the second request fails, and a part of that ending. */
  readonly first: PlayedReply;
  readonly ending: string;
}
const whole = (body: string): PlayedReply => ({ headers: json, chunks: [body] });
const ways: Readonly<Record<string, Way>> = {
  "a streamed call that was cut": {
    stream: true,
    first: { chunks: [cut] },
    ending: '"stop_reason":"max_tokens"',
  },
  "a whole reply with a call that was cut": {
    stream: false,
    first: whole(bodyOf([call], "max_tokens", 1024)),
    ending: '"stop_reason":"max_tokens"',
  },
  "a finished answer with a supposed leaked call": {
    stream: false,
    first: whole(bodyOf([{ type: "text", text: markup }], "end_turn", 40)),
    ending: "tool_call>",
  },
};
const errorEvent = (type: string): string =>
  `event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message: "Later." } })}\n\n`;
const failures: Readonly<Record<string, PlayedReply>> = {
  "a status 400": { ...whole("{}"), status: 400 },
  "a status 429": { ...whole("{}"), status: 429 },
  "a status 500": { ...whole("{}"), status: 500 },
  "an error event": { chunks: [messageStart + errorEvent("overloaded_error")] },
  "a stream that breaks": { chunks: [messageStart], fault: "reset" },
  "a broken call": {
    chunks: [messageStart + callBlock(0, "t", '{"p').slice(0, -40)],
    fault: "reset",
  },
  "no reply": { chunks: [] },
  "a connection that is refused": { chunks: [""], fault: "reset" },
};

let server: TestServer;
afterEach(() => server.close());
const reports: GuardReport[] = [];

async function ask(
  replies: readonly PlayedReply[],
  body: object,
  path = "/v1/messages",
): Promise<{ readonly status: number; readonly text: string; readonly isBroken: boolean }> {
  server = await startServer((_, index) => replies[index] ?? { chunks: [], status: 500 });
  reports.length = 0;
  const guarded = guard(fetch, { reask: true, onReply: (report) => reports.push(report) });
  const response = await guarded(server.url + path, {
    method: "POST",
    headers: json,
    body: JSON.stringify(body),
  });
  return { status: response.status, ...(await readAll(response)) };
}
const actions = (): readonly string[] => reports.map(({ action }) => action);

describe("if the second request fails, the client gets the first reply's ending", () => {
  for (const [name, { stream, first, ending }] of Object.entries(ways))
    test.each(Object.entries(failures))(`${name}, then %s`, async (_, failure) => {
      const request = { ...messagesRequest, tools: [offered], stream };
      const { status, text, isBroken } = await ask([first, failure], request);
      expect([status, isBroken]).toEqual([200, false]);
      expect(text).toContain(ending);
      expect(text).not.toContain("tool_use");
      expect(server.requests).toHaveLength(2);
      expect(actions().at(-1)).toBe(ending.includes("stop") ? "ended" : "passed");
      expect(actions()).not.toContain("retried");
      expect(reports.at(-1)?.turn.stopReason).toBe(ending.includes("stop") ? "length" : "stop");
    });
});

test("a second reply that has begun goes out, also if it breaks later", async () => {
  const begun = { chunks: [messageStart + textBlock(0, "Once more.")], fault: "reset" } as const;
  const { text, isBroken } = await ask([{ chunks: [cut] }, begun], messagesRequest);
  expect(text).toContain("Once more.");
  expect(text).toContain("event: error");
  expect(isBroken).toBe(true);
  expect(actions()).toEqual(["retried", "failed"]);
});

test("a second reply is judged by its own cap", async () => {
  const long =
    messageStart + callBlock(0, "toolu_2", '{"path":"a.txt"}') + messageEnd("tool_use", 1500);
  const { text } = await ask([{ chunks: [cut] }, { chunks: [long] }], messagesRequest);
  expect(text).toBe(long);
  expect(reports.map(({ turn }) => turn.usage.output)).toEqual([1024, 1500]);
  expect(new Set(reports.map(({ replyId }) => replyId)).size).toBe(1);
});

describe("a reply is not asked for again", () => {
  const tools = messagesRequest.tools;
  const cases: Readonly<Record<string, readonly [string, object]>> = {
    "for a full window": [
      messageStart +
        callBlock(0, "toolu_1", '{"path":"a') +
        messageEnd("model_context_window_exceeded"),
      messagesRequest,
    ],
    "with the largest cap that the model takes": [
      messageStart + callBlock(0, "toolu_1", '{"path":"a') + messageEnd("max_tokens", 128_000),
      { ...messagesRequest, max_tokens: 128_000 },
    ],
    "without a cap": [
      messageStart + callBlock(0, "toolu_1", '{"path":"a') + messageEnd("max_tokens"),
      { model: "claude-sonnet-5-5", stream: true, tools, messages: messagesRequest.messages },
    ],
    "after a refusal": [
      messageStart + callBlock(0, "toolu_1", '{"path":"a"}') + messageEnd("refusal"),
      messagesRequest,
    ],
  };
  test.each(Object.entries(cases))("%s", async (_, [reply, request]) => {
    await ask([{ chunks: [reply] }, { chunks: [finished] }], request);
    expect(server.requests).toHaveLength(1);
    expect(actions()).toEqual(["ended"]);
  });
});

test("a call whose input is not JSON is asked for with the same bytes", async () => {
  const bad = messageStart + callBlock(0, "toolu_1", "{path}") + messageEnd("tool_use");
  const { text } = await ask([{ chunks: [bad] }, { chunks: [finished] }], messagesRequest);
  expect(text).toBe(finished);
  const [first, second] = server.requests;
  expect(second?.body).toBe(first?.body);
});
