import { cap, type Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import type { Adapter, Endpoint } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { bedrock } from "@fullstop/provider-bedrock";
import { copilot } from "@fullstop/provider-copilot";
import { google, googleInteractions } from "@fullstop/provider-google";
import { mistral } from "@fullstop/provider-mistral";
import { ollama } from "@fullstop/provider-ollama";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
// @boundaries-ignore only the tests of this provider have its wire
import { wire as bedrockWire } from "../../../packages/provider-bedrock/test/wire.ts";
// @boundaries-ignore only the tests of this provider have its wire
import { wire as mistralWire } from "../../../packages/provider-mistral/test/wire.ts";
// @boundaries-ignore only the tests of this provider have its wire
import { wire as ollamaWire } from "../../../packages/provider-ollama/test/wire.ts";

/** An adapter, and the server's side of its protocol. */
export interface Speaker {
  readonly wire: Wire;
  /** An id in the style of this provider, for the call at this position of the turn. */
  id(turn: number, position: number): string;
  adapter(endpoint: Endpoint): Adapter;
}

export const speakers: Readonly<Record<string, Speaker>> = {
  anthropic: {
    wire: anthropicWire,
    id: (turn, position) => `toolu_${turn}_${position}`,
    adapter: (endpoint) => anthropic("claude-sonnet-5-5", endpoint),
  },
  openai: {
    wire: openaiResponsesWire,
    id: (turn, position) => `call_${"r".repeat(50)}_${turn}_${position}`,
    adapter: (endpoint) => openai("gpt-6", endpoint),
  },
  "openai-chat": {
    wire: openaiChatWire,
    id: (turn, position) => `call_${"c".repeat(20)}_${turn}_${position}`,
    adapter: (endpoint) => openaiChat("gpt-6", endpoint),
  },
  google: {
    wire: geminiWire,
    id: (turn, position) => `${"g".repeat(300)}.${turn}:${position}`,
    adapter: (endpoint) => google("gemini-3.1-pro", endpoint),
  },
  "google-interactions": {
    wire: interactionsWire,
    id: (turn, position) => `call_${turn}${position}`,
    adapter: (endpoint) => googleInteractions("gemini-3.8-flash", { apiKey: "key", ...endpoint }),
  },
  bedrock: {
    wire: bedrockWire,
    id: (turn, position) => `tooluse_${turn}_${position}`,
    adapter: (endpoint) =>
      bedrock("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", {
        region: "eu-central-1",
        apiKey: "key",
        ...endpoint,
      }),
  },
  mistral: {
    wire: mistralWire,
    id: (turn, position) => `abcdefg${turn}${position}`,
    adapter: (endpoint) => mistral("mistral-large-latest", { apiKey: "key", ...endpoint }),
  },
  kimi: {
    wire: openaiChatWire,
    id: (_, position) => `functions.read:${position}`,
    adapter: (endpoint) => openaiCompatible("kimi", "kimi-k3", endpoint),
  },
  ollama: {
    wire: ollamaWire,
    /** Older servers give no ids. */
    id: (turn, position) => (turn % 2 === 0 ? "" : `call_${turn}${position}`),
    adapter: (endpoint) => ollama("qwen3", endpoint),
  },
  copilot: {
    wire: openaiResponsesWire,
    id: (turn, position) => `call_${turn}${position}`,
    adapter: ({ baseURL, fetch }) =>
      copilot("gpt-5.5", { token: async () => ({ token: "copilot-token" }), baseURL, fetch }),
  },
};

/**
 * The output tokens of a reply: the cap of the request if the native stop reason is the one for
 * `length`.
 */
export const outputTokensFor = ({ nativeStops }: Speaker["wire"], stop: string): number =>
  stop === nativeStops.length ? cap : 12;
