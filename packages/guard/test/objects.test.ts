import { afterAll, describe, expect, test } from "vitest";
import { chunk, done, type Guarded, openDesk, opening, streamed } from "./chat.ts";
import { ask, json, responsesRequest } from "./responses.ts";
import { type PlayedReply, startServer } from "./server.ts";

let reply: PlayedReply = { chunks: [] };
const server = await startServer(() => reply);
afterAll(() => server.close());
const desk = await openDesk();
afterAll(() => desk.close());

const object = '{"city":"Bern"}';
const response_format = {
  type: "json_schema",
  json_schema: { name: "trip", schema: { type: "object" } },
};
const host = (): object => ({ mislabelsTruncation: true });

describe("a text goes out as it came, also if it may be a cut object", () => {
  const askChat = async (content: string, request: object): Promise<readonly [string, Guarded]> => {
    const played = streamed(opening, chunk({ content }), chunk({}, "stop"), done);
    return [played.chunks.join(""), await desk.ask(played, { request, host })];
  };
  test("and the report says that nothing shows that it is whole", async () => {
    for (const content of [object, '{"city":"Be', "No."]) {
      const [bytes, { text, report }] = await askChat(content, { response_format });
      expect(text).toBe(bytes);
      expect(report).toMatchObject({ action: "passed", turn: { stopReason: "length" } });
    }
  });
  test("and a request for a text is reported as before", async () => {
    const [bytes, { text, report }] = await askChat(object, {});
    expect(text).toBe(bytes);
    expect(report).toMatchObject({ action: "passed", turn: { stopReason: "stop" } });
    expect(report.turn).not.toHaveProperty("output");
  });
  test("and a host that reports truncation gives the object to the report", async () => {
    const played = streamed(opening, chunk({ content: object }), chunk({}, "stop"), done);
    const { report } = await desk.ask(played, { request: { response_format } });
    expect(report).toMatchObject({
      action: "passed",
      turn: { stopReason: "stop", output: { value: { city: "Bern" } } },
    });
  });
});

test("a step of the host beside a text that may be cut goes out as before", async () => {
  const step = { type: "custom_tool_call", id: "c", call_id: "c", name: "x_search", input: "q" };
  const content = [{ type: "output_text", text: object, annotations: [] }];
  const message = { type: "message", id: "m", role: "assistant", status: "completed", content };
  const { type, json_schema } = response_format;
  for (const text of [undefined, { format: { type, ...json_schema } }]) {
    reply = json({ id: "r", object: "response", status: "completed", output: [step, message] });
    const guarded = await ask(server, {
      body: { ...responsesRequest, ...(text && { text }) },
      host: () => ({ runsCustomTools: true, mislabelsTruncation: true }),
    });
    expect([guarded.text, guarded.report?.action]).toEqual([reply.chunks.join(""), "passed"]);
  }
});
