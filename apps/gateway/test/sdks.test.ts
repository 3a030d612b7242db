import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { breakAfter, cutReply, key, messagesRequest, replies, stream, tool } from "./replies.ts";
import { openFront, openUpstream, type TestGateway } from "./servers.ts";

/** What a program sees of a reply: its text, the names of its calls, and how it failed. */
interface Seen {
  text: string;
  readonly calls: string[];
  stop?: string | null | undefined;
  error?: string;
}
type Client = (gateway: TestGateway, seen: Seen) => Promise<void>;

const anthropic: Client = async ({ url }, seen) => {
  const client = new Anthropic({ apiKey: key, baseURL: `${url}/up`, maxRetries: 0 });
  for await (const event of await client.messages.create(messagesRequest)) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta")
      seen.text += event.delta.text;
    if (event.type === "content_block_start" && event.content_block.type === "tool_use")
      seen.calls.push(event.content_block.name);
    if (event.type === "message_delta") seen.stop = event.delta.stop_reason;
  }
};
const chat: Client = async ({ url }, seen) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/up/v1`, maxRetries: 0 });
  const chunks = await client.chat.completions.create({
    model: "gpt-5.2",
    stream: true,
    messages: [{ role: "user", content: "Write it." }],
    tools: [{ type: "function", function: { name: "write_file", parameters: tool } }],
  });
  for await (const { choices } of chunks) {
    seen.text += choices[0]?.delta.content ?? "";
    for (const call of choices[0]?.delta.tool_calls ?? [])
      seen.calls.push(call.function?.name ?? "");
    seen.stop = choices[0]?.finish_reason;
  }
};
const gemini: Client = async ({ url }, seen) => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: `${url}/up` } });
  const chunks = await client.models.generateContentStream({
    model: "gemini-3-pro",
    contents: "Write it.",
  });
  for await (const chunk of chunks) {
    for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
      seen.text += part.text ?? "";
      if (part.functionCall) seen.calls.push(part.functionCall.name ?? "");
    }
    seen.stop = chunk.candidates?.[0]?.finishReason;
  }
};
const interactions: Client = async ({ url }, seen) => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: `${url}/up` } });
  const events = await client.interactions.create(
    { model: "gemini-3.8-flash", input: "Write it.", stream: true },
    { retries: { strategy: "none" } },
  );
  for await (const event of events) {
    if (event.event_type === "step.delta" && event.delta.type === "text")
      seen.text += event.delta.text;
    if (event.event_type === "step.start" && event.step.type === "function_call")
      seen.calls.push(event.step.name);
    if (event.event_type === "error") throw new Error(event.error?.message);
  }
};
const clients = { anthropic, chat, gemini, interactions } as const;
type Name = keyof typeof clients;
const names = Object.keys(clients) as Name[];

async function see(name: Name, answer: Parameters<typeof openUpstream>[0]): Promise<Seen> {
  await using upstream = await openUpstream(answer);
  await using gateway = await openFront(upstream);
  const seen: Seen = { text: "", calls: [] };
  await clients[name](gateway, seen).catch((thrown: Error) => {
    seen.error = thrown.message;
  });
  return seen;
}

describe.each(names)("the SDK of %s through the gateway", (name) => {
  test("gets the calls of a finished reply", async () => {
    const seen = await see(name, stream(replies[name].finished));
    expect(seen).toMatchObject({ text: "Writing.", calls: ["write_file"] });
    expect(seen.error).toBeUndefined();
  });
  test.each(["reset", "fin"] as const)(
    "gets the text, no call and a failure if the connection breaks (%s)",
    async (how) => {
      const seen = await see(name, breakAfter(replies[name].broken, how));
      expect(seen).toMatchObject({ text: "Writing.", calls: [] });
      // Gemini's SDK does not read errors in a stream. It sees that no finish reason came.
      if (name === "gemini") expect(seen.stop).toBeUndefined();
      else expect(seen.error).toMatch(/connection ended before the reply/);
    },
  );
});

test("a reply that was cut at the output limit ends natively, with a note", async () => {
  const seen = await see("anthropic", stream(cutReply));
  expect(seen).toMatchObject({ calls: [], stop: "max_tokens" });
  expect(seen.text).toContain("held back write_file");
});
