import { type AssistantBlock, readTurn, validateHistory } from "@fullstop/core";
import {
  calls,
  contentsWith,
  expectNoViolations,
  historiesOf,
  texts,
} from "@tooling/test/histories";
import fc from "fast-check";
import { test } from "vitest";
import { violations } from "./refusals.ts";
import { answer, hello } from "./server.ts";

const files = fc.oneof(
  fc
    .record({
      mediaType: fc.constantFrom("application/pdf", "text/plain", "video/mp4", "audio/wav", "x/y"),
      data: fc.constantFrom("QQ==", "not base64!"),
      name: fc.constantFrom("a_b..c.pdf", "  ", "Ü", "notes (1)", undefined),
    })
    .map(({ name, ...file }) => ({ type: "file", ...file, ...(name && { name }) }) as const),
  fc.constant({ type: "file", url: "s3://bucket/a.pdf", mediaType: "application/pdf" } as const),
);
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

const historiesFor = (model: string) =>
  historiesOf({
    contents: contentsWith(files),
    blocks: fc.oneof(thinking, text, native, calls),
    from: fc.constantFrom({ provider: "bedrock", protocol: "bedrock-converse", model }, undefined),
    build: (block, count): readonly AssistantBlock[] =>
      block.type === "tool-call"
        ? [{ ...block, id: `${count % 2 === 0 ? "tooluse" : "functions.x:"}_${count}` }]
        : [block],
  });

test.each([
  "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "amazon.nova-pro-v1:0",
  "meta.llama4-maverick-17b-instruct-v1:0",
  "mistral.mistral-large-2407-v1:0",
])("any valid history encodes to a request that the API's rules allow: %s", async (model) => {
  const histories = fc.tuple(historiesFor(model), fc.constantFrom("auto", "off"));
  await expectNoViolations(
    histories,
    async ([messages, cache], tools) => {
      const { requests, adapter } = answer(hello);
      const { stopReason } = await readTurn(adapter({}, model), { messages, tools, cache });
      const broken = violations(requests[0]?.body, { path: model });
      return [
        ...validateHistory(messages),
        ...broken,
        ...(stopReason === "stop" ? [] : [stopReason]),
      ];
    },
    125,
  );
});
