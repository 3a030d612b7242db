import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
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
import { reply } from "./events.ts";
import { serve } from "./server.ts";

const own = { provider: "anthropic", protocol: "anthropic-messages", model: "claude-sonnet-5-5" };
const media = fc.constantFrom(
  { type: "image", url: "https://files.example/a.png" } as const,
  { type: "file", fileId: "file_1", provider: "anthropic" } as const,
);
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
const serverCall = (id: string): readonly AssistantBlock[] => [
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

const histories = historiesOf({
  contents: contentsWith(media),
  blocks: fc.oneof(thinking, text, redacted, calls, fc.constant({ type: "server" } as const)),
  from: fc.constantFrom(own, { ...own, model: "claude-opus-5" }, undefined),
  build: (block, count): readonly AssistantBlock[] => {
    if (block.type === "server") return serverCall(`srv_${count}`);
    if (block.type !== "tool-call") return [block];
    return [{ ...block, id: `${count % 2 === 0 ? "toolu" : "functions.x:"}_${count}` }];
  },
});

test("any valid history encodes to a request that the API's rules allow", async () => {
  await expectNoViolations(histories, async (messages, tools) => {
    const { requests, adapter } = serve(reply("end_turn"));
    await readTurn(adapter(), { messages, tools });
    return [...validateHistory(messages), ...anthropicWire.violations(requests[0]?.body)];
  });
});
