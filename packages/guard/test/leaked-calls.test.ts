import { guard } from "@fullstop/guard";
import { afterAll, describe, expect, test } from "vitest";
import {
  chatRequest,
  chunk,
  done,
  type Fields,
  openDesk,
  opening,
  streamed,
  whole,
} from "./chat.ts";
import { startServer, type TestServer } from "./server.ts";

const desk = await openDesk();
afterAll(() => desk.close());

const markup = 'I look.\n<tool_call>{"name": "read", "arguments": {"path": "/srv/a"}}</tool_call>';
const stream = streamed(opening, chunk({ content: markup }), chunk({}, "stop"), done);
const body = (content: string): string =>
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "gpt-5.2",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 },
  });

/** How a protocol writes a body with this text, and a request with the tool `read`. */
interface WholeProtocol {
  readonly path: string;
  readonly request: Fields;
  answer(text: string): Fields;
}
const schema = { type: "object", properties: { path: {} } };
const protocols: Readonly<Record<string, WholeProtocol>> = {
  Messages: {
    path: "/v1/messages",
    request: {
      model: "claude-sonnet-5-5",
      max_tokens: 1024,
      messages: [{ role: "user", content: "Go." }],
      tools: [{ name: "read", input_schema: schema }],
    },
    answer: (text) => ({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5-5",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 9, output_tokens: 20 },
    }),
  },
  Responses: {
    path: "/v1/responses",
    request: {
      model: "gpt-5.5",
      store: false,
      input: [{ role: "user", content: "Go." }],
      tools: [{ type: "function", name: "read", parameters: schema }],
    },
    answer: (text) => ({
      id: "resp_1",
      object: "response",
      status: "completed",
      output: [
        {
          type: "message",
          id: "msg_1",
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ],
      usage: { input_tokens: 9, output_tokens: 20, total_tokens: 29 },
    }),
  },
  Gemini: {
    path: "/v1beta/models/gemini-3.1-pro:generateContent",
    request: {
      contents: [{ role: "user", parts: [{ text: "Go." }] }],
      tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: schema }] }],
    },
    answer: (text) => ({
      candidates: [
        { index: 0, content: { role: "model", parts: [{ text }] }, finishReason: "STOP" },
      ],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 20, totalTokenCount: 29 },
    }),
  },
};

/** A provider that gives these bodies in order. */
async function openServer(answers: readonly Fields[]): Promise<TestServer & AsyncDisposable> {
  const headers = { "content-type": "application/json" };
  const server = await startServer((_, index) => ({
    headers,
    chunks: [JSON.stringify(answers[index])],
  }));
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}

describe("a call that the model wrote as text", () => {
  test("goes out as it came, and is reported", async () => {
    const { text, report } = await desk.ask(stream);
    expect(text).toContain("tool_call>");
    expect(report).toMatchObject({
      action: "passed",
      turn: { stopReason: "stop", calls: [], leakedCall: { name: "read", form: "tool-call-json" } },
    });
  });

  test("is not one if no tool of this name was offered", async () => {
    const { report } = await desk.ask(stream, { request: { tools: [] } });
    expect(report.turn).not.toHaveProperty("leakedCall");
  });

  test("of a whole body is asked for once more with `reask`", async () => {
    const asked = (reply: string) =>
      desk
        .client([whole(body(markup)), whole(body(reply))], { reask: true })
        .chat.completions.create({ ...chatRequest, stream: false });
    const { choices } = await asked("Done.");
    expect(choices[0]?.message.content).toBe("Done.");
    expect(desk.lastBody()).toEqual({ ...chatRequest, stream: false });
    expect((await asked(markup)).choices[0]?.message.content).toBe(markup);
  });

  test.each(Object.entries(protocols))(
    "of a whole body of %s is requested again, too",
    async (_, { path, request, answer }) => {
      await using server = await openServer([answer(markup), answer("Done.")]);
      const actions: string[] = [];
      const guarded = guard(fetch, { reask: true, onReply: ({ action }) => actions.push(action) });
      const response = await guarded(server.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      expect(await response.json()).toEqual(answer("Done."));
      expect(actions).toEqual(["retried", "passed"]);
      const [first, second] = server.requests;
      expect(second?.body).toBe(first?.body);
    },
  );

  test("of a stream is not asked for again, because its text went out", async () => {
    const { text, report } = await desk.ask(stream, { reask: true });
    expect(text).toContain("tool_call>");
    expect(report.action).toBe("passed");
  });
});
