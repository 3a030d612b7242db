import type { Adapter } from "@fullstop/core";
import { about, createClient } from "../client.ts";
import { type ChatOptions, chatAdapter } from "./adapter.ts";
import type { Quirks } from "./quirks.ts";

/** `baseURL` is `https://api.openai.com/v1` unless given, whatever the environment says; without `apiKey` the SDK looks for `OPENAI_API_KEY`. */
export type OpenAIChatOptions = ChatOptions;

/** The API's ids are shorter; longer ones are refused. */
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
      quirks: quirksOf(model),
      connect: () => createClient(options),
    },
    options,
  );
}

const quirksOf = (model: string): Quirks => ({
  reasoningTokens: "counted",
  capName: "max_completion_tokens",
  customTools: true,
  files: true,
  effort: {
    none: { reasoning_effort: leastEffort(model) },
    low: { reasoning_effort: "low" },
    medium: { reasoning_effort: "medium" },
    high: { reasoning_effort: "high" },
  },
});

/** Models up to GPT-5 always think. https://developers.openai.com/api/docs/guides/reasoning */
const least: readonly (readonly [RegExp, string])[] = [
  [/^o\d/, "low"],
  [/^gpt-5(?!\.)/, "minimal"],
];
const leastEffort = (model: string): string =>
  least.find(([pattern]) => pattern.test(model))?.[1] ?? "none";
