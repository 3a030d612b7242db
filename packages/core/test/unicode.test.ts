import { describe, expect, test } from "vitest";
import type { AssistantMessage, Message } from "../src/index.ts";
import { here, sent } from "./prepared-request.ts";

describe("lone surrogates", () => {
  const high = "\ud83d";
  const call = (inputText: string, kind?: "text"): Message => ({
    role: "assistant",
    content: [
      { type: "text", text: `Reading ${high}.` },
      { type: "tool-call", id: "a", name: "read", inputText, ...(kind && { kind }) },
      { type: "native", data: { quotes: [{ text: high }, 1, null] } },
    ],
    from: here,
  });
  const result: Message = {
    role: "tool",
    content: [
      {
        type: "tool-result",
        id: "a",
        name: "read",
        content: [{ type: "text", text: `cut ${high}` }],
      },
    ],
  };

  test("are replaced in the definitions of tools", async () => {
    const { tools } = await sent({
      messages: [{ role: "user", content: "Go." }],
      tools: [
        {
          name: "read",
          description: `Reads ${high}.`,
          inputSchema: { type: "object", properties: { path: { description: high } } },
        },
      ],
    });
    expect(tools).toEqual([
      {
        name: "read",
        description: "Reads \ufffd.",
        inputSchema: { type: "object", properties: { path: { description: "\ufffd" } } },
      },
    ]);
  });

  test("are replaced in all messages, and pairs stay", async () => {
    const messages: readonly Message[] = [
      { role: "user", content: `\udc00 📄 ${high}` },
      call(`{"path":"${high}"}`),
      result,
    ];
    const request = await sent({ system: `You${high}`, messages });
    expect(JSON.stringify(request)).not.toMatch(/\\ud83d(?!\\udcc4)/);
    expect(request.system).toBe("You\ufffd");
    expect(request.messages[0]?.content).toBe("\ufffd 📄 \ufffd");
    expect(request.messages[1]?.content[2]).toEqual({
      type: "native",
      data: { quotes: [{ text: "\ufffd" }, 1, null] },
    });
    expect(messages[2]).toEqual(result);
  });

  test.each([
    [String.raw`{"a":"\ud83d"}`, String.raw`{"a":"\ufffd"}`],
    [
      String.raw`{"a":"\uDE00 \uD83D\uDE00 \\ud83d"}`,
      String.raw`{"a":"\ufffd \uD83D\uDE00 \\ud83d"}`,
    ],
    [
      String.raw`{"a":"\\\ud83d\u0041","n":12345678901234567890}`,
      String.raw`{"a":"\\\ufffd\u0041","n":12345678901234567890}`,
    ],
  ])("is replaced where an input writes it as an escape: %s", async (written, goes) => {
    const { messages } = await sent({
      messages: [{ role: "user", content: "Go." }, call(written), result],
    });
    expect(messages[1]?.content[1]).toMatchObject({ inputText: goes });
  });

  test("in a free-form input, text that only looks like an escape stays", async () => {
    const { messages } = await sent({
      messages: [
        { role: "user", content: "Go." },
        call(String.raw`print("\ud83d")`, "text"),
        result,
      ],
    });
    expect(messages[1]?.content[1]).toMatchObject({ inputText: String.raw`print("\ud83d")` });
  });

  test("are not searched deep inside native blocks", async () => {
    const data: unknown = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    const reply: AssistantMessage = {
      role: "assistant",
      content: [{ type: "native", data }],
      from: here,
    };
    const { messages } = await sent({
      messages: [{ role: "user", content: high }, reply, { role: "user", content: "Go." }],
    });
    expect(messages[1]).toBe(reply);
  });

  test("a message without one is sent unchanged", async () => {
    const messages: readonly Message[] = [
      { role: "user", content: [{ type: "text", text: "📄" }] },
    ];
    expect((await sent({ messages })).messages[0]).toBe(messages[0]);
  });
});
