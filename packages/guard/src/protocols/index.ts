import type { ProtocolName } from "../options.ts";
import { anthropic } from "./anthropic/index.ts";
import { chat } from "./chat/index.ts";
import { gemini } from "./gemini/index.ts";
import { interactions } from "./interactions/index.ts";
import type { Protocol } from "./protocol.ts";
import { responses } from "./responses/index.ts";

export const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  "anthropic-messages": anthropic,
  "gemini-generate-content": gemini,
  "gemini-interactions": interactions,
  "openai-chat": chat,
  "openai-responses": responses,
};
