import type { Wire } from "../wire.ts";
import { anthropicWire } from "./anthropic/index.ts";
import { geminiWire } from "./gemini/index.ts";
import { openaiChatWire } from "./openai-chat/index.ts";
import { openaiResponsesWire } from "./openai-responses/index.ts";

/** The wires of this package, by the names of their folders. */
export const wires: Readonly<
  Record<"anthropic" | "openai-chat" | "openai-responses" | "gemini", Wire>
> = {
  anthropic: anthropicWire,
  "openai-chat": openaiChatWire,
  "openai-responses": openaiResponsesWire,
  gemini: geminiWire,
};
