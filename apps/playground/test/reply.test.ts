import { expect, test } from "vitest";
import { pageContent } from "../src/build/content.ts";
import { type Edits, editReply } from "../src/reply/edits.ts";
import { callsOf } from "../src/reply/loops.ts";
import { recognize, replyFrom } from "../src/reply/paste.ts";
import type { ProtocolName } from "../src/reply/protocols.ts";
import { readReply } from "../src/reply/read-reply.ts";

const content = pageContent();
const found = (id: string): { readonly protocol: ProtocolName; readonly text: string } => {
  const reply = content.replies.find((one) => one.id === id);
  if (reply === undefined) throw new Error(`No reply ${id}.`);
  return reply;
};

async function judge(id: string, edits: Edits = {}) {
  const { protocol, text } = found(id);
  const bytes = new TextEncoder().encode(editReply(text, protocol, edits));
  const { messages, tools } = content.request;
  const request = { messages, tools, maxTokens: 1024 };
  const judged = await readReply({ protocol, bytes, request });
  return { ...judged, calls: callsOf(judged, protocol) };
}

const oneOfEach = [
  "anthropic/parallel-calls",
  "openai-chat/parallel-calls",
  "openai-responses/parallel-calls",
  "gemini/two-calls-one-chunk",
  "gemini-interactions/parallel-calls",
] as const;
const bodies = ["anthropic/parallel-calls.json", "openai-chat/parallel-calls.json"] as const;

const ollama = [
  {
    model: "m",
    message: {
      role: "assistant",
      content: "",
      tool_calls: [{ function: { name: "read", arguments: { path: "a" } } }],
    },
    done: false,
  },
  { model: "m", message: { role: "assistant", content: "" }, done: true, done_reason: "stop" },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

test.each([...oneOfEach, ...bodies])("the protocol of %s is recognized", async (id) => {
  expect(await recognize(found(id).text)).toBe(found(id).protocol);
});

test("the protocol of Ollama's lines is recognized, and an HTML page is refused", async () => {
  expect(await recognize(ollama)).toBe("ollama-chat");
  expect(await recognize("<!doctype html><p>502</p>")).toBeUndefined();
  expect(await recognize('{"hello": 1}')).toBeUndefined();
});

test("what people copy becomes the reply that was sent", async () => {
  const { text } = found("openai-chat/parallel-calls");
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
  expect(replyFrom(head + text.replaceAll("\n", "\r\n"))).toBe(text);
  expect(replyFrom(text.replaceAll("data:", "   data:"))).toBe(text);
  expect(replyFrom(text.replaceAll("\n\n", "\n"))).toBe(text);
  const gemini = found("gemini/two-calls-one-chunk");
  const events = [...gemini.text.matchAll(/^data: (.*)$/gm)].map(([, json]) => json);
  expect(await recognize(replyFrom(`[${events.join(",\n")}]`))).toBe(gemini.protocol);
});

const stops = {
  "anthropic/parallel-calls": "max_tokens",
  "openai-chat/parallel-calls": "length",
  "openai-responses/parallel-calls": "incomplete:max_output_tokens",
  "gemini/two-calls-one-chunk": "MAX_TOKENS",
  "gemini-interactions/parallel-calls": "incomplete",
  "anthropic/parallel-calls.json": "max_tokens",
  "openai-chat/parallel-calls.json": "length",
} as const;

test.each([...oneOfEach, ...bodies])("each change of %s changes what the gate sees", async (id) => {
  const whole = await judge(id);
  expect(whole.turn.stopReason).toBe("tool-use");
  expect((await judge(id, { stop: stops[id], usage: 1000 })).turn.stopReason).toBe("length");
  expect((await judge(id, { stop: "no_such_word" })).turn.stopReason).toBe("unknown");
  const capped = await judge(id, { usage: 1024 });
  expect(capped.turn.withheld[0]?.reason).toBe("cap-reached");
  const repeated = await judge(id, { repeat: true });
  expect(repeated.previews.length).toBeGreaterThan(whole.previews.length);
});

test.each(oneOfEach)(
  "%s without its end runs nothing, and neither does what follows",
  async (id) => {
    const ended = await judge(id, { dropEnd: true });
    expect(ended.turn.calls).toEqual([]);
    const second = await judge(id, { dropEnd: true, second: true });
    expect(second.turn.calls).toEqual([]);
  },
);

test("the small loops run what the gate withholds, and all four run a finished reply", async () => {
  const relabelled = await judge("story/relabelled", { usage: 1024 });
  expect(relabelled.calls.gate).toEqual([]);
  for (const name of ["at-once", "repairs", "stop-reason"] as const)
    expect(relabelled.calls[name]).toEqual([{ name: "bash", input: '{"command": "rm -rf ~/"}' }]);
  const finished = await judge("story/finished");
  for (const calls of Object.values(finished.calls))
    expect(calls.map(({ input }) => JSON.parse(input))).toEqual([
      { command: "rm -rf ~/.cache/fennel-preview" },
    ]);
});
