import Anthropic from "@anthropic-ai/sdk";
import { guard } from "@fullstop/guard";
import { askAll, createPlainClient, laterRuns, ways } from "@tooling/test/prefix-cells";
import { expect, test } from "vitest";

const tools: Anthropic.Tool[] = [
  {
    name: "write",
    input_schema: { type: "object", properties: { path: { type: "string" } } },
  },
];

/** Asks through the vendor's SDK. A request that fails has no reply. */
const replyOf =
  (stream: boolean) => async (baseURL: string, messages: Anthropic.MessageParam[]) => {
    const client = new Anthropic({ apiKey: "key", baseURL, fetch: guard(), maxRetries: 0 });
    const request = { model: "claude-sonnet-5-5", max_tokens: 1024, tools, messages };
    try {
      return stream
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
    } catch {
      return undefined;
    }
  };

test.each(ways)("no request is refused behind a reply: $name", async ({ stream, cell }) => {
  const { ran, ask } = createPlainClient<Anthropic.MessageParam>(replyOf(stream));
  expect(await askAll(cell, ask)).toEqual([]);
  expect(ran).toEqual([...cell.runs, ...laterRuns]);
});
