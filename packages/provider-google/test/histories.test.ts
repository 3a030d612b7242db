import { geminiWire } from "@fullstop/conformance/wires/gemini";
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
import { reply } from "./chunks.ts";
import { serve } from "./server.ts";

const own = { provider: "google", protocol: "gemini-generate-content", model: "gemini-3.1-pro" };
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
const signedCall = fc
  .record({ call: calls, providerData, hasNativeId: fc.boolean() })
  .map((signed) => ({ type: "signed-call", ...signed }) as const);
const serverCall = (id: string): readonly AssistantBlock[] => [
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

const histories = historiesOf({
  contents: contentsWith(),
  blocks: fc.oneof(thinking, text, native, signedCall, fc.constant({ type: "server" } as const)),
  from: fc.constantFrom(own, { ...own, model: "gemini-2.5-pro" }, undefined),
  build: (block, count): readonly AssistantBlock[] => {
    if (block.type === "server") return serverCall(`srv_${count}`);
    if (block.type !== "signed-call") return [block];
    const id = `${count % 2 === 0 ? "call" : "functions.x:"}_${count}`;
    const { call, hasNativeId, providerData: signature } = block;
    return [{ ...call, id, providerData: signature, ...(hasNativeId && { nativeId: id }) }];
  },
});

test("any valid history encodes to a request that the API's rules allow", async () => {
  await expectNoViolations(histories, async (messages, tools) => {
    const { requests, adapter } = serve(reply("STOP"));
    await readTurn(adapter(), { messages, tools });
    return [...validateHistory(messages), ...geminiWire.violations(requests[0]?.body)];
  });
});
