import type { Shape, ShapeName } from "../shape.ts";
import { aiSdkShape } from "./ai-sdk.ts";
import { aiSdkUiShape } from "./ai-sdk-ui.ts";
import { anthropicShape } from "./anthropic.ts";
import { fullstopShape } from "./fullstop.ts";
import { geminiShape } from "./gemini.ts";
import { openaiChatShape } from "./openai-chat.ts";
import { openaiResponsesShape } from "./openai-responses.ts";

export const shapes: Readonly<Record<ShapeName, Shape>> = {
  fullstop: fullstopShape,
  "ai-sdk": aiSdkShape,
  "ai-sdk-ui": aiSdkUiShape,
  "openai-chat": openaiChatShape,
  "openai-responses": openaiResponsesShape,
  anthropic: anthropicShape,
  gemini: geminiShape,
};
