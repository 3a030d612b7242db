import {
  type AssistantMessage,
  type Message,
  readTurn,
  type ToolResultBlock,
  validateHistory,
} from "@fullstop/core";
import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { violations } from "./rules.ts";
import { answer, hello } from "./server.ts";

const texts = fc.constantFrom("", " \n", "Hi.", "{");
const block = fc.oneof(
  texts.map((text) => ({ type: "text", text }) as const),
  fc
    .constantFrom("image/png", "image/tiff")
    .map((mediaType) => ({ type: "image", mediaType, data: "AAAA" }) as const),
  fc
    .record({
      mediaType: fc.constantFrom("application/pdf", "text/plain", "video/mp4", "audio/wav", "x/y"),
      data: fc.constantFrom("QQ==", "not base64!"),
      name: fc.constantFrom("a_b..c.pdf", "  ", "Ü", "notes (1)", undefined),
    })
    .map(({ name, ...file }) => ({ type: "file", ...file, ...(name && { name }) }) as const),
  fc.constant({ type: "file", url: "s3://bucket/a.pdf", mediaType: "application/pdf" } as const),
);
const content = fc.oneof(texts, fc.array(block, { maxLength: 3 }));

const thinking = fc.record({
  type: fc.constant("thinking" as const),
  text: texts,
  providerData: fc.constantFrom("sig", "", undefined),
});
const text = fc.record({
  type: fc.constant("text" as const),
  text: texts,
  providerData: fc.constantFrom(undefined, null, [{ title: "Notes" }]),
});
const native = fc
  .constantFrom(
    { reasoningContent: { redactedContent: "AQID" } },
    { image: { format: "png", source: { bytes: "AAAA" } } },
    { xLater: {} },
  )
  .map((data) => ({ type: "native", data }) as const);
const call = fc.record({
  type: fc.constant("tool-call" as const),
  name: fc.constantFrom("read", "fs.read:1", "ü".repeat(200)),
  inputText: fc.constantFrom("", "{}", '{"a":1}', "[1]", '{"a":', "text", "null"),
  kind: fc.constantFrom("text" as const, undefined),
});
const turn = fc.record({
  before: fc.array(fc.record({ content, by: fc.constantFrom("loop" as const, undefined) }), {
    maxLength: 2,
  }),
  blocks: fc.array(fc.oneof(thinking, text, native, call), { maxLength: 5 }),
  isOwn: fc.boolean(),
  results: fc.array(fc.record({ content, isError: fc.boolean() }), { minLength: 5, maxLength: 5 }),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** A valid history: calls with their results in order. */
function build(turns: readonly Turn[], model: string, endsWithUser: boolean): readonly Message[] {
  const messages: Message[] = [];
  const from = { provider: "bedrock", protocol: "bedrock-converse", model };
  let ids = 0;
  for (const { before, blocks, isOwn, results } of turns) {
    messages.push(
      ...before.map(
        ({ content: sent, by }): Message => ({ role: "user", content: sent, ...(by && { by }) }),
      ),
    );
    const answers: ToolResultBlock[] = [];
    const built = blocks.map((one): AssistantMessage["content"][number] => {
      if (one.type !== "tool-call") return one as AssistantMessage["content"][number];
      const id = `${ids % 2 === 0 ? "tooluse" : "functions.x:"}_${ids++}`;
      const { kind, ...rest } = one;
      const result = results[answers.length] ?? { content: "" };
      answers.push({ type: "tool-result", id, name: one.name, ...result });
      return { ...rest, id, ...(kind && { kind }) };
    });
    if (built.length > 0)
      messages.push({ role: "assistant", content: built, ...(isOwn && { from }) });
    if (answers.length > 0) messages.push({ role: "tool", content: answers });
  }
  return endsWithUser || messages.length === 0
    ? [...messages, { role: "user", content: "Go on." }]
    : messages;
}

test.each([
  "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "amazon.nova-pro-v1:0",
  "meta.llama4-maverick-17b-instruct-v1:0",
  "mistral.mistral-large-2407-v1:0",
])("any valid history encodes to a request that the API's rules allow: %s", async (model) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 4 }),
      fc.boolean(),
      fc.constantFrom("auto", "off"),
      fc.boolean(),
      async (turns, endsWithUser, cache, hasTools) => {
        const messages = build(turns, model, endsWithUser);
        expect(validateHistory(messages)).toEqual([]);
        const { requests, adapter } = answer(hello);
        const tools = hasTools ? [{ name: "read", description: "Reads.", inputSchema: {} }] : [];
        const result = await readTurn(adapter({}, model), { messages, tools, cache });
        expect(result.stopReason).toBe("stop");
        expect(violations(requests[0]?.body, { path: model })).toEqual([]);
      },
    ),
    { numRuns: runs(125) },
  );
});
