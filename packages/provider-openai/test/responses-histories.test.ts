import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import {
  type AssistantMessage,
  type Message,
  readTurn,
  type ThinkingBlock,
  type ToolResultBlock,
  validateHistory,
} from "@fullstop/core";
import { messageEvents, reasoning, reply } from "@tooling/test/openai-responses";
import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { serve } from "./responses-server.ts";

const own = { provider: "openai", protocol: "openai-responses", model: "gpt-5.5" };
const texts = fc.constantFrom("", " \n", "Hi.", "{");
const block = fc.oneof(
  texts.map((text) => ({ type: "text", text }) as const),
  fc
    .constantFrom("image/png", "image/tiff")
    .map((mediaType) => ({ type: "image", mediaType, data: "AAAA" }) as const),
  fc
    .constantFrom("application/pdf", "text/plain", "video/mp4")
    .map((mediaType) => ({ type: "file", mediaType, data: "QQ==" }) as const),
  fc.constantFrom(
    { type: "image", url: "https://files.example/a.png" } as const,
    { type: "file", fileId: "file_1", provider: "openai" } as const,
  ),
);
const content = fc.oneof(texts, fc.array(block, { maxLength: 3 }));

const thought = fc
  .constantFrom("gAAA", "", null)
  .map((encrypted_content) => ({ type: "thought", encrypted_content }) as const);
const text = fc.record({
  type: fc.constant("text" as const),
  text: texts,
  seal: fc.constantFrom(undefined, null, { phase: "commentary" }, [1]),
});
const call = fc.record({
  type: fc.constant("tool-call" as const),
  name: fc.constantFrom("read", "fs.read:1", "ü".repeat(200)),
  inputText: fc.constantFrom("", "{}", '{"a":1}', "[1]", '{"a":', "text", "null"),
  kind: fc.constantFrom("text" as const, undefined),
  seal: fc.constantFrom(undefined, { namespace: "n" }, "sig"),
});
const search = fc.constant({
  type: "native",
  data: { type: "web_search_call", status: "completed" },
} as const);
const turn = fc.record({
  before: fc.array(fc.record({ content, by: fc.constantFrom("loop" as const, undefined) }), {
    maxLength: 2,
  }),
  blocks: fc.array(fc.oneof(thought, text, search, call), { maxLength: 5 }),
  from: fc.constantFrom(own, { ...own, model: "gpt-4.1" }, undefined),
  results: fc.array(fc.record({ content, isError: fc.boolean() }), { minLength: 5, maxLength: 5 }),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

const thinking = (id: string, encrypted_content: string | null): ThinkingBlock => ({
  type: "thinking",
  text: "hm",
  providerData: reasoning("hm", { id, encrypted_content }),
});
/** Some short, some that have to be fitted. */
const callId = (n: number): string =>
  `${n % 2 === 0 ? "call" : "functions.x:"}_${"0".repeat(n % 3 === 0 ? 90 : 0)}${n}`;

/** Calls answered in order. */
function build(turns: readonly Turn[], asked: boolean): readonly Message[] {
  const messages: Message[] = [];
  let ids = 0;
  for (const { before, blocks, from, results } of turns) {
    messages.push(
      ...before.map(({ content, by }): Message => ({ role: "user", content, ...(by && { by }) })),
    );
    const answers: ToolResultBlock[] = [];
    const built = blocks.map((block): AssistantMessage["content"][number] => {
      if (block.type === "thought") return thinking(`rs_${ids++}`, block.encrypted_content);
      if (block.type !== "tool-call") return block as AssistantMessage["content"][number];
      const id = callId(ids++);
      const { kind, ...rest } = block;
      answers.push({
        type: "tool-result",
        id,
        name: block.name,
        ...(results[answers.length] ?? { content: "" }),
      });
      return { ...rest, id, ...(kind && { kind }) };
    });
    if (built.length > 0)
      messages.push({ role: "assistant", content: built, ...(from && { from }) });
    if (answers.length > 0) messages.push({ role: "tool", content: answers });
  }
  return asked ? [...messages, { role: "user", content: "Go on." }] : messages;
}

test("any valid history encodes to a request that the API's rules allow", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      async (turns, asked, offered) => {
        const messages = build(turns, asked);
        expect(validateHistory(messages)).toEqual([]);
        const { requests, adapter } = serve(reply(messageEvents(0, "ok")));
        const tools = offered ? [{ name: "read", description: "Reads.", inputSchema: {} }] : [];
        await readTurn(adapter(), { messages, tools });
        expect(openaiResponsesWire.violations(requests[0]?.body)).toEqual([]);
      },
    ),
    { numRuns: runs(500) },
  );
});
