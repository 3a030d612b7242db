import type { ChatReplyHost } from "@fullstop/provider-openai/reply";
import { errors } from "./errors.ts";
import { stops } from "./stops.ts";

/** How replies of Mistral's API differ from OpenAI's. */
export const replyHost = (model: string): ChatReplyHost => ({
  provider: "mistral",
  model,
  stops,
  errors,
  quirks: { reasoningTokens: "counted" },
});
