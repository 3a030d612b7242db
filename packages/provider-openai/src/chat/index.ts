import type { Adapter } from "@fullstop/core";
import { checkAdapterOptions, commonKinds } from "@fullstop/core/adapter";
import { about, clientOptions } from "../client.ts";
import { openaiOutputFormat } from "../shared/output-format.ts";
import { type ChatOptions, chatAdapter } from "./adapter.ts";
import { openaiQuirks } from "./models.ts";

/**
 * `baseURL` defaults to `https://api.openai.com/v1`; the environment does not change it. Without
 * `apiKey` the SDK reads `OPENAI_API_KEY`.
 */
export type OpenAIChatOptions = ChatOptions;

/** Call ids that the API accepts. */
export const chatCallIds: NonNullable<Adapter["callIds"]> = {
  maxLength: 40,
  allowed: /^[a-zA-Z0-9_-]+$/,
};

/**
 * OpenAI over Chat Completions, through the vendor's SDK.
 * https://developers.openai.com/api/reference/resources/chat
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function openaiChat(model: string, options: OpenAIChatOptions = {}): Adapter {
  checkAdapterOptions(options, commonKinds, "openaiChat");
  return chatAdapter(
    {
      provider: "openai",
      about,
      model,
      callIds: chatCallIds,
      quirks: openaiQuirks(model),
      outputFormat: openaiOutputFormat(model),
      clientOptions: () => clientOptions(options),
    },
    options,
  );
}
