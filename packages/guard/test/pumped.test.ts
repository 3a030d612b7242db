import { guard } from "@fullstop/guard";
import { growthOf, pumped, pumps } from "@tooling/test/growth";
import { expect, test } from "vitest";

type Fields = Readonly<Record<string, unknown>>;

/** What a model or a host controls in a whole reply. Each has an ordinary value by default. */
interface Written {
  readonly text: string;
  readonly thinking: string;
  readonly name: string;
  readonly input: string;
  readonly stop: string;
}
interface PumpedProtocol {
  readonly path: string;
  readonly request: Fields;
  reply(written: Written): Fields;
  /** The events of the reply as a stream. */
  events(written: Written): readonly Fields[];
}
const schema = { type: "object", properties: { path: {} } };

const messagesReply = ({ text, thinking, name, input, stop }: Written): Fields => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5-5",
  content: [
    { type: "thinking", thinking, signature: "s" },
    { type: "text", text },
    ...(name === "" ? [] : [{ type: "tool_use", id: "toolu_1", name, input: { path: input } }]),
  ],
  stop_reason: stop === "" ? "end_turn" : stop,
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 20 },
});
const chatMessage = ({ text, thinking, name, input }: Written): Fields => ({
  role: "assistant",
  content: text,
  reasoning_content: thinking,
  ...(name !== "" && {
    tool_calls: [
      { index: 0, id: "call_1", type: "function", function: { name, arguments: input } },
    ],
  }),
});
const chatChoice = (member: "message" | "delta", written: Written): Fields => ({
  id: "chatcmpl-1",
  model: "gpt-5.2",
  choices: [
    {
      index: 0,
      [member]: chatMessage(written),
      finish_reason: written.stop === "" ? "stop" : written.stop,
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 },
});
const responsesReply = ({ text, thinking, name, input, stop }: Written): Fields => ({
  id: "resp_1",
  object: "response",
  status: stop === "" ? "completed" : stop,
  output: [
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: thinking }] },
    {
      type: "message",
      id: "msg_1",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text, annotations: [] }],
    },
    ...(name === ""
      ? []
      : [
          {
            type: "function_call",
            id: "fc_1",
            call_id: "call_1",
            status: "completed",
            name,
            arguments: input,
          },
        ]),
  ],
  usage: { input_tokens: 9, output_tokens: 20, total_tokens: 29 },
});
const geminiReply = ({ text, thinking, name, input, stop }: Written): Fields => ({
  candidates: [
    {
      index: 0,
      content: {
        role: "model",
        parts: [
          { text: thinking, thought: true },
          { text },
          ...(name === "" ? [] : [{ functionCall: { name, args: { path: input } } }]),
        ],
      },
      finishReason: stop === "" ? "STOP" : stop,
    },
  ],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 20, totalTokenCount: 29 },
});

const protocols: Readonly<Record<string, PumpedProtocol>> = {
  Messages: {
    path: "/v1/messages",
    request: {
      model: "claude-sonnet-5-5",
      max_tokens: 1024,
      messages: [{ role: "user", content: "Go." }],
      tools: [{ name: "read", input_schema: schema }],
    },
    reply: messagesReply,
    events: ({ text, stop }) => [
      { type: "message_start", message: { ...messagesReply({ ...plain, text }), content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: stop === "" ? "end_turn" : stop },
        usage: { output_tokens: 20 },
      },
      { type: "message_stop" },
    ],
  },
  Chat: {
    path: "/v1/chat/completions",
    request: {
      model: "gpt-5.2",
      messages: [{ role: "user", content: "Go." }],
      tools: [{ type: "function", function: { name: "read", parameters: schema } }],
    },
    reply: (written) => chatChoice("message", written),
    events: (written) => [chatChoice("delta", written)],
  },
  Responses: {
    path: "/v1/responses",
    request: {
      model: "gpt-5.5",
      store: false,
      input: [{ role: "user", content: "Go." }],
      tools: [{ type: "function", name: "read", parameters: schema }],
    },
    reply: responsesReply,
    events: (written) => [
      // The name of an event is the host's, too.
      { type: `response.${written.stop || "created"}.x`, response: responsesReply(plain) },
      { type: "response.completed", response: responsesReply(written) },
    ],
  },
  Gemini: {
    path: "/v1beta/models/gemini-3.1-pro:generateContent",
    request: {
      contents: [{ role: "user", parts: [{ text: "Go." }] }],
      tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: schema }] }],
    },
    reply: geminiReply,
    events: (written) => [geminiReply(written)],
  },
};
const plain: Written = { text: "I look.", thinking: "", name: "", input: '{"path":"a"}', stop: "" };

/** How each place of a reply is filled. */
const places: Readonly<Record<string, (text: string) => Partial<Written>>> = {
  text: (text) => ({ text }),
  thinking: (thinking) => ({ text: "", thinking }),
  "the name of a call": (name) => ({ name }),
  "an input": (input) => ({ name: "read", input }),
  "the stop reason": (stop) => ({ stop }),
};

interface Answer {
  readonly status?: number;
  readonly type: string;
  readonly body: string;
}
const json = (value: unknown, status = 200): Answer => ({
  status,
  type: "application/json",
  body: JSON.stringify(value),
});
const stream = (events: readonly Fields[]): Answer => ({
  type: "text/event-stream",
  body: events
    .map((event) => `event: ${event["type"]}\ndata: ${JSON.stringify(event)}\n\n`)
    .join(""),
});

/** The CPU of a guard, and of nothing else. */
async function judge({ path, request }: PumpedProtocol, answer: Answer, extra: Fields = {}) {
  const { status = 200, type, body } = answer;
  const guarded = guard(
    async () => new Response(body, { status, headers: { "content-type": type } }),
    { reask: true, onUnguarded: () => undefined },
  );
  const response = await guarded(`https://api.example.com${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...request, ...extra }),
  });
  await response.text().catch(() => undefined);
}

const answers: Readonly<Record<string, (protocol: PumpedProtocol, written: Written) => Answer>> = {
  whole: (protocol, written) => json(protocol.reply(written)),
  streamed: (protocol, written) => stream(protocol.events(written)),
};
const cases = Object.entries(protocols).flatMap(([protocol, pumpedProtocol]) =>
  Object.entries(answers).flatMap(([way, answer]) =>
    Object.entries(places).map(
      ([place, fill]) => [place, way, protocol, pumpedProtocol, answer, fill] as const,
    ),
  ),
);

test.each(cases)(
  "%s of a %s reply of %s costs in proportion to its length",
  async (...[, , , protocol, answer, fill]) => {
    for (const pump of pumps)
      expect(
        await growthOf((length) =>
          judge(protocol, answer(protocol, { ...plain, ...fill(pumped(pump, length)) })),
        ),
        JSON.stringify(pump),
      ).toBe("linear");
  },
);

test.each(Object.entries(protocols))(
  "errors, requests and lines of %s cost in proportion to their length",
  async (_, protocol) => {
    const asked: readonly ((text: string) => Promise<void>)[] = [
      (message) => judge(protocol, json({ error: { message, code: message } }, 400)),
      (message) => judge(protocol, json({ error: { message, type: message } }, 529)),
      (body) => judge(protocol, { status: 502, type: "text/html", body }),
      (body) => judge(protocol, { type: "text/event-stream", body }),
      (body) =>
        judge(protocol, { type: "text/event-stream", body: `event: ${body}\ndata: ${body}` }),
      (model) => judge(protocol, json(protocol.reply(plain)), { model }),
      (name) =>
        judge(protocol, json(protocol.reply(plain)), { tools: [{ name, description: name }] }),
    ];
    for (const pump of pumps)
      for (const ask of asked)
        expect(
          await growthOf((length) => ask(pumped(pump, length))),
          `${JSON.stringify(pump)} ${ask}`,
        ).toBe("linear");
  },
);
