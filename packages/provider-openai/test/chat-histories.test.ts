import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
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
import { done, finishChunk, serve } from "./chat-server.ts";
import { references } from "./references.ts";

const own = { provider: "openai", protocol: "openai-chat", model: "gpt-5.2" };
const thinking = fc.record({
  type: fc.constant("thinking" as const),
  text: texts,
  providerData: fc.constantFrom({ field: "reasoning_content" }, undefined),
});
const text = fc.record({ type: fc.constant("text" as const), text: texts });
const native = fc.constant({ type: "native", data: { type: "x_block" } } as const);

const histories = historiesOf({
  contents: contentsWith(references),
  blocks: fc.oneof(thinking, text, native, calls),
  from: fc.constantFrom(own, { ...own, model: "gpt-4.1" }, undefined),
  build: (block, count): readonly AssistantBlock[] => {
    if (block.type !== "tool-call") return [block];
    const long = "a".repeat(count % 3 === 0 ? 60 : 1);
    return [{ ...block, id: `${count % 2 === 0 ? "call" : "functions.x:"}_${long}_${count}` }];
  },
});

test("any valid history encodes to a request that the API's rules allow", async () => {
  await expectNoViolations(histories, async (messages, tools) => {
    const { requests, adapter } = serve([finishChunk("stop"), done]);
    await readTurn(adapter(), { messages, tools });
    return [...validateHistory(messages), ...openaiChatWire.violations(requests[0]?.body)];
  });
});
