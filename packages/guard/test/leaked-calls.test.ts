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
    const messages = desk.lastBody()["messages"] as readonly Fields[];
    expect(messages.at(-1)).toEqual({
      role: "user",
      content:
        "You wrote a call of read as text, so it did not run. Make the call again, as a tool call.",
    });
    expect(JSON.stringify(messages)).not.toContain("tool_call");
    expect((await asked(markup)).choices[0]?.message.content).toBe(markup);
  });

  test("of a stream is not asked for again, because its text went out", async () => {
    const { text, report } = await desk.ask(stream, { reask: true });
    expect(text).toContain("tool_call>");
    expect(report.action).toBe("passed");
  });
});
