import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
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
import { reply } from "./events.ts";
import { serve } from "./server.ts";

const own = { provider: "anthropic", protocol: "anthropic-messages", model: "claude-sonnet-5-5" };
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
    { type: "file", fileId: "file_1", provider: "anthropic" } as const,
  ),
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
  providerData: fc.constantFrom(undefined, null, [{ type: "page_location", file_id: null }]),
});
const redacted = fc.constant({
  type: "native",
  data: { type: "redacted_thinking", data: "x" },
} as const);
const call = fc.record({
  type: fc.constant("tool-call" as const),
  name: fc.constantFrom("read", "fs.read:1", "ü".repeat(200)),
  inputText: fc.constantFrom("", "{}", '{"a":1}', "[1]", '{"a":', "text", "null"),
  kind: fc.constantFrom("text" as const, undefined),
});
const server = fc.constant({ type: "server" } as const);
const turn = fc.record({
  before: fc.array(fc.record({ content, by: fc.constantFrom("loop" as const, undefined) }), {
    maxLength: 2,
  }),
  blocks: fc.array(fc.oneof(thinking, text, redacted, call, server), { maxLength: 5 }),
  from: fc.constantFrom(own, { ...own, model: "claude-opus-5" }, undefined),
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
      const id = `${ids % 2 === 0 ? "toolu" : "functions.x:"}_${ids++}`;
      const { kind, ...rest } = block;
      answers.push({
        type: "tool-result",
        id,
        name: block.name,
        ...(results[answers.length] ?? { content: "" }),
      });
      return [{ ...rest, id, ...(kind && { kind }) }];
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
    data: { type: "server_tool_use", id, name: "web_search", input: {} },
    opens: id,
  },
  {
    type: "native",
    data: { type: "web_search_tool_result", tool_use_id: id, content: [] },
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
        const { requests, adapter } = serve(reply("end_turn"));
        const tools = hasTools ? [{ name: "read", description: "Reads.", inputSchema: {} }] : [];
        await readTurn(adapter(), { messages, tools });
        expect(anthropicWire.violations(requests[0]?.body)).toEqual([]);
      },
    ),
    { numRuns: runs(500) },
  );
});
