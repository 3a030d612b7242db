import type { Wire } from "../wire.ts";
import { anthropicWire } from "./anthropic/index.ts";
import { geminiWire } from "./gemini/index.ts";
import { openaiChatWire } from "./openai-chat/index.ts";
import { openaiResponsesWire } from "./openai-responses/index.ts";

/** The wires of this package. */
export const wires: readonly Wire[] = [anthropicWire, openaiChatWire, openaiResponsesWire, geminiWire];
