import { type GuardReport, guard, type UnguardedRequest } from "@fullstop/guard";
import { describe, expect, test } from "vitest";
import { startServer } from "./server.ts";

type Fields = Readonly<Record<string, unknown>>;
const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const cutText = '{"path":"/srv';

/** A reply whose call was cut at the cap. */
const cut = {
  messages: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content: [{ type: "tool_use", id: "toolu_1", name: "remove", input: {} }],
    stop_reason: "max_tokens",
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 20 },
  },
  chat: {
    id: "chatcmpl-1",
    model: "gpt-5.2",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "remove", arguments: cutText } },
          ],
        },
        finish_reason: "length",
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 },
  },
  responses: {
    id: "resp_1",
    object: "response",
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
    output: [
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        status: "incomplete",
        name: "remove",
        arguments: cutText,
      },
    ],
    usage: { input_tokens: 9, output_tokens: 20, total_tokens: 29 },
  },
  gemini: {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: [{ functionCall: { name: "remove", args: {} } }] },
        finishReason: "MAX_TOKENS",
      },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 20, totalTokenCount: 29 },
  },
} satisfies Readonly<Record<string, Fields>>;

const user = { role: "user", content: "Go." };
const messagesTools = { name: "remove", input_schema: schema };
const chatTools = { type: "function", function: { name: "remove", parameters: schema } };
const responsesTools = { type: "function", name: "remove", parameters: schema };
const geminiTools = { functionDeclarations: [{ name: "remove", parametersJsonSchema: schema }] };
const content = { role: "user", parts: [{ text: "Go." }] };
const geminiPath = "/v1beta/models/gemini-3.1-pro:generateContent";

async function ask(path: string, body: unknown, reply: Fields, strict = false) {
  const server = await startServer(() => ({
    headers: { "content-type": "application/json" },
    chunks: [JSON.stringify(reply)],
  }));
  const reports: GuardReport[] = [];
  const unguarded: UnguardedRequest[] = [];
  const guarded = guard(fetch, {
    strict,
    onReply: (report) => reports.push(report),
    onUnguarded: (one) => unguarded.push(one),
  });
  try {
    const response = await guarded(server.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, reports, unguarded, sent: server.requests };
  } finally {
    await server.close();
  }
}

describe("a request of a known path is guarded, whatever the form of its body", () => {
  test.each<readonly [string, string, Fields, Fields]>([
    ["Gemini: one content", geminiPath, { contents: content, tools: [geminiTools] }, cut.gemini],
    ["Gemini: a text", geminiPath, { contents: "Go.", tools: [geminiTools] }, cut.gemini],
    [
      "Gemini: tools as one object",
      geminiPath,
      { contents: content, tools: geminiTools },
      cut.gemini,
    ],
    [
      "Gemini: nested",
      geminiPath,
      { request: { contents: content, tools: geminiTools } },
      cut.gemini,
    ],
    ["Gemini: tools alone", geminiPath, { tools: [geminiTools] }, cut.gemini],
    ["Gemini: one content without tools", geminiPath, { contents: content }, cut.gemini],
    [
      "Responses: a conversation",
      "/v1/responses",
      { model: "gpt-5.5", conversation: "conv_1" },
      cut.responses,
    ],
    [
      "Responses: instructions",
      "/v1/responses",
      { model: "gpt-5.5", instructions: "Go." },
      cut.responses,
    ],
    ["Responses: tools alone", "/v1/responses", { tools: [responsesTools] }, cut.responses],
    ["Chat: one message", "/v1/chat/completions", { messages: user, tools: [chatTools] }, cut.chat],
    ["Chat: tools as one object", "/v1/chat/completions", { tools: chatTools }, cut.chat],
    ["Chat: functions", "/v1/chat/completions", { functions: [chatTools.function] }, cut.chat],
    [
      "Messages: one message",
      "/v1/messages",
      { messages: user, tools: [messagesTools] },
      cut.messages,
    ],
    ["Messages: a prompt", "/v1/messages", { prompt: "Go.", tools: messagesTools }, cut.messages],
  ])("%s", async (_, path, body, reply) => {
    for (const strict of [false, true]) {
      const { text, reports, unguarded } = await ask(path, body, reply, strict);
      expect(reports).toMatchObject([{ turn: { calls: [], withheld: [{ name: "remove" }] } }]);
      expect(text).not.toMatch(/"(?:functionCall|function_call|tool_use|tool_calls)"/);
      expect(unguarded).toEqual([]);
    }
  });
});

test.each<readonly [string, unknown]>([
  ["in a member", { input: { messages: [user], tools: [chatTools] } }],
  ["in an entry of a list", [{ messages: [user], tools: [chatTools] }]],
])(
  "tools of another form of body, %s, are reported and refused in strict mode",
  async (_, body) => {
    const passed = await ask("/v1/chat/completions", body, cut.chat);
    expect(passed.unguarded).toMatchObject([
      { reason: expect.stringContaining("form of its body") },
    ]);
    const refused = await ask("/v1/chat/completions", body, cut.chat, true);
    expect(refused).toMatchObject({ status: 400, sent: [] });
    expect(refused.text).toContain("another form");
  },
);
