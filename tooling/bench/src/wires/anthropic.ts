import Anthropic from "@anthropic-ai/sdk";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { anthropic } from "@fullstop/provider-anthropic";
import { apiKey, type BenchWire, lengthOf, model } from "../wire.ts";

export const anthropicBench: BenchWire = {
  wire: anthropicWire,
  adapter: (endpoint) => anthropic(model, endpoint),
  characters(event) {
    const { type, delta } = event as {
      readonly type: string;
      readonly delta: { readonly partial_json?: unknown; readonly text?: unknown };
    };
    return type === "content_block_delta" ? lengthOf(delta.partial_json ?? delta.text) : 0;
  },
  vendor(baseURL) {
    const client = new Anthropic({ baseURL, apiKey, maxRetries: 0, logLevel: "off" });
    return {
      events: async (body) =>
        client.messages.create({
          ...(body as unknown as Anthropic.MessageCreateParams),
          stream: true,
        }),
      async helper(body) {
        const { content } = await client.messages
          .stream(body as unknown as Anthropic.MessageStreamParams)
          .finalMessage();
        return content.reduce((sum, block) => sum + contentOf(block).length, 0);
      },
    };
  },
};

function contentOf(block: Anthropic.ContentBlock): string {
  if (block.type === "text") return block.text;
  return "input" in block ? JSON.stringify(block.input) : "";
}
