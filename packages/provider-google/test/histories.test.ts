import { geminiWire } from "@fullstop/conformance/wires/gemini";
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
import { reply } from "./chunks.ts";
import { serve } from "./server.ts";

const own = { provider: "google", protocol: "gemini-generate-content", model: "gemini-3.1-pro" };
const texts = fc.constantFrom("", " \n", "Hi.", "{");
const block = fc.oneof(
  texts.map((text) => ({ type: "text", text }) as const),
  fc
    .constantFrom("image/png", "image/tiff")
    .map((mediaType) => ({ type: "image", mediaType, data: "AAAA" }) as const),
  fc
    .constantFrom("application/pdf", "text/plain", "video/mp4")
    .map((mediaType) => ({ type: "file", mediaType, data: "QQ==" }) as const),
);
const content = fc.oneof(texts, fc.array(block, { maxLength: 3 }));

const providerData = fc.constantFrom("c2ln", "", null, undefined);
const thinking = fc.record({ type: fc.constant("thinking" as const), text: texts, providerData });
const text = fc.record({ type: fc.constant("text" as const), text: texts, providerData });
const native = fc
  .constantFrom(
    { text: "", thoughtSignature: "c2ln" },
    { inlineData: { mimeType: "image/png", data: "AAAA" } },
    { xLater: {} },
  )
  .map((data) => ({ type: "native", data }) as const);
const call = fc.record({
  type: fc.constant("tool-call" as const),
  name: fc.constantFrom("read", "fs.read:1", "ü".repeat(200)),
  inputText: fc.constantFrom("", "{}", '{"a":1}', "[1]", '{"a":', "text", "null"),
  kind: fc.constantFrom("text" as const, undefined),
  providerData,
  given: fc.boolean(),
});
const server = fc.constant({ type: "server" } as const);
const turn = fc.record({
  before: fc.array(fc.record({ content, by: fc.constantFrom("loop" as const, undefined) }), {
    maxLength: 2,
  }),
  blocks: fc.array(fc.oneof(thinking, text, native, call, server), { maxLength: 5 }),
  from: fc.constantFrom(own, { ...own, model: "gemini-2.5-pro" }, undefined),
  results: fc.array(fc.record({ content, isError: fc.boolean() }), { minLength: 5, maxLength: 5 }),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** A valid history: calls with their results in order, and server calls with theirs. */
function build(turns: readonly Turn[], endsWithUser: boolean): readonly Message[] {
  const messages: Message[] = [];
  let ids = 0;
  for (const { before, blocks, from, results } of turns) {
    messages.push(
      ...before.map(
        ({ content: sent, by }): Message => ({ role: "user", content: sent, ...(by && { by }) }),
      ),
    );
    const answers: ToolResultBlock[] = [];
    const built = blocks.flatMap((block): AssistantMessage["content"] => {
      if (block.type === "server") return serverCall(`srv_${ids++}`);
      if (block.type !== "tool-call") return [block as AssistantMessage["content"][number]];
      const id = `${ids % 2 === 0 ? "call" : "functions.x:"}_${ids++}`;
      const { kind, given, ...rest } = block;
      answers.push({
        type: "tool-result",
        id,
        name: block.name,
        ...(results[answers.length] ?? { content: "" }),
      });
      return [{ ...rest, id, ...(given && { nativeId: id }), ...(kind && { kind }) }];
    });
    if (built.length > 0)
      messages.push({ role: "assistant", content: built, ...(from && { from }) });
    if (answers.length > 0) messages.push({ role: "tool", content: answers });
  }
  return endsWithUser || messages.length === 0
    ? [...messages, { role: "user", content: "Go on." }]
    : messages;
}
const serverCall = (id: string): AssistantMessage["content"] => [
  {
    type: "native",
    data: { toolCall: { id, toolType: "GOOGLE_SEARCH_WEB", args: {} } },
    opens: id,
  },
  {
    type: "native",
    data: { toolResponse: { id, toolType: "GOOGLE_SEARCH_WEB", response: {} } },
    closes: id,
  },
];

test("any valid history encodes to a request that the API's rules allow", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      async (turns, endsWithUser, hasTools) => {
        const messages = build(turns, endsWithUser);
        expect(validateHistory(messages)).toEqual([]);
        const { requests, adapter } = serve(reply("STOP"));
        const tools = hasTools ? [{ name: "read", description: "Reads.", inputSchema: {} }] : [];
        await readTurn(adapter(), { messages, tools });
        expect(geminiWire.violations(requests[0]?.body)).toEqual([]);
      },
    ),
    { numRuns: runs(500) },
  );
});
