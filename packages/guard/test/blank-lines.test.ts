import { readFrames } from "@fullstop/core/adapter";
import { guard } from "@fullstop/guard";
import { describe, expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest } from "./messages.ts";

const stream = (...chunks: readonly string[]): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    }),
    { headers: { "content-type": "text/event-stream" } },
  );

describe("blank lines and comments of a stream", () => {
  test.each([
    ["blank lines", "\n"],
    ["comments", ": x\n\n"],
    ["events without data", "id: 1\r\n\r\n"],
  ])("that are very many are one frame for each chunk: %s", async (_, one) => {
    const many = one.repeat(100_000);
    const event = "data: {}\n\n";
    const chunks = [`${event}${many}`, `${many}${event}`, many];
    const raw: string[] = [];
    let natives = 0;
    for await (const frames of readFrames(stream(...chunks)))
      for (const frame of frames) {
        raw.push(frame.raw);
        if (frame.native !== undefined) natives++;
      }
    expect(raw.join("") === chunks.join("")).toBe(true);
    expect([raw.length, natives]).toEqual([5, 2]);
  });

  const reply = messageStart + callBlock(0, "toolu_1", "{}") + messageEnd("tool_use");
  const ask = (response: Response): Promise<Response> =>
    guard(async () => response, { maxHeld: 10_000 })("http://host.example/v1/messages", {
      method: "POST",
      body: JSON.stringify(messagesRequest),
    });
  test("that a gateway sends as data pass as they came", async () => {
    const [first = "", ...rest] = reply.split(/(?<=\n\n)/);
    const chunks = [first, ...rest.map((event) => `data: : keepalive\n\n${event}`)];
    const answered = await ask(stream(...chunks));
    expect([answered.status, await answered.text()]).toEqual([200, chunks.join("")]);
  });
  test("that never end an event are held up to the limit", async () => {
    const lines = ": x\n".repeat(1000);
    expect(await (await ask(stream(lines, `\n${reply}`))).text()).toBe(`${lines}\n${reply}`);
    const many = Array.from({ length: 100 }, () => lines);
    expect((await ask(stream(...many, `\n${reply}`))).status).toBe(400);
  });
});
