import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";
/** How the replies of each protocol are edited. */
export const protocols = {
  "anthropic-messages": anthropic,
  "gemini-generate-content": gemini,
  "openai-chat": chat,
  "openai-responses": responses,
};
