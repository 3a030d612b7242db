import type { Wire } from "../wire.ts";
import { anthropicWire } from "./anthropic/index.ts";
import { geminiWire } from "./gemini/index.ts";
import { interactionsWire } from "./gemini-interactions/index.ts";
import { openaiChatWire } from "./openai-chat/index.ts";
import { openaiResponsesWire } from "./openai-responses/index.ts";

/** The wires of the corpus, which agents and gateways are asked over, by the names of their folders. */
export const wires: Readonly<
  Record<"anthropic" | "openai-chat" | "openai-responses" | "gemini" | "gemini-interactions", Wire>
> = {
  anthropic: anthropicWire,
  "openai-chat": openaiChatWire,
  "openai-responses": openaiResponsesWire,
  gemini: geminiWire,
  "gemini-interactions": interactionsWire,
};
