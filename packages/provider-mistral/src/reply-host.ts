import type { ChatReplyHost } from "@fullstop/provider-openai/reply";
import { errors } from "./errors.ts";
import { stops } from "./stops.ts";

export const replyHost = (model: string): ChatReplyHost => ({
  provider: "mistral",
  model,
  stops,
  errors,
  quirks: { reasoningTokens: "counted" },
});
