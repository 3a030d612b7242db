import type { Adapter } from "@fullstop/core";
import { about, createClient } from "../client.ts";
import { type ChatOptions, chatAdapter } from "./adapter.ts";
import { openaiQuirks } from "./models.ts";

/** Without `baseURL` requests go to `https://api.openai.com/v1`, also if `OPENAI_BASE_URL` is set. Without `apiKey` the SDK reads `OPENAI_API_KEY`. */
export type OpenAIChatOptions = ChatOptions;

/** Ids of calls that the API accepts. */
export const callIds: NonNullable<Adapter["callIds"]> = {
  maxLength: 40,
  allowed: /^[a-zA-Z0-9_-]+$/,
};

/** OpenAI over Chat Completions, through the vendor's SDK. https://developers.openai.com/api/reference/resources/chat */
export function openaiChat(model: string, options: OpenAIChatOptions = {}): Adapter {
  return chatAdapter(
    {
      provider: "openai",
      about,
      model,
      callIds,
      quirks: openaiQuirks(model),
      connect: () => createClient(options),
    },
    options,
  );
}
