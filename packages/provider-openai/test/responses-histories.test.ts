import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type AssistantBlock, readTurn, validateHistory } from "@fullstop/core";
import {
  calls,
  contentsWith,
  expectNoViolations,
  historiesOf,
  texts,
} from "@tooling/test/histories";
import { messageEvents, reasoning, reply } from "@tooling/test/openai-responses";
import fc from "fast-check";
import { test } from "vitest";
import { references } from "./references.ts";
import { serve } from "./responses-server.ts";

const own = { provider: "openai", protocol: "openai-responses", model: "gpt-5.5" };
const thought = fc
  .constantFrom("gAAA", "", null)
  .map((encrypted_content) => ({ type: "thought", encrypted_content }) as const);
const text = fc.record({
  type: fc.constant("text" as const),
  text: texts,
  providerData: fc.constantFrom(undefined, null, { phase: "commentary" }, [1]),
});
const ownCall = fc
  .record({ call: calls, providerData: fc.constantFrom(undefined, { namespace: "n" }, "sig") })
  .map((parts) => ({ type: "own-call", ...parts }) as const);
const search = fc.constant({
  type: "native",
  data: { type: "web_search_call", status: "completed" },
} as const);
/** Some short, some that have to be fitted. */
const callId = (count: number): string =>
  `${count % 2 === 0 ? "call" : "functions.x:"}_${"0".repeat(count % 3 === 0 ? 90 : 0)}${count}`;

const histories = historiesOf({
  contents: contentsWith(references),
  blocks: fc.oneof(thought, text, search, ownCall),
  from: fc.constantFrom(own, { ...own, model: "gpt-4.1" }, undefined),
  build: (block, count): readonly AssistantBlock[] => {
    if (block.type === "thought") {
      const { encrypted_content } = block;
      const providerData = reasoning("hm", { id: `rs_${count}`, encrypted_content });
      return [{ type: "thinking", text: "hm", providerData }];
    }
    if (block.type !== "own-call") return [block];
    return [{ ...block.call, id: callId(count), providerData: block.providerData }];
  },
});

test("any valid history encodes to a request that the API's rules allow", async () => {
  await expectNoViolations(histories, async (messages, tools) => {
    const { requests, adapter } = serve(reply(messageEvents(0, "ok")));
    await readTurn(adapter(), { messages, tools });
    return [...validateHistory(messages), ...openaiResponsesWire.violations(requests[0]?.body)];
  });
});
