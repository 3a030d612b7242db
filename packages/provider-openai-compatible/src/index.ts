import type { Adapter } from "@fullstop/core";
import { type ChatOptions, chatAdapter, chatCallIds, connect } from "@fullstop/provider-openai/protocol";
import { type Dialect, type DialectName, dialects } from "./dialects.ts";

export { type Dialect, type DialectName, dialects } from "./dialects.ts";
/** `baseURL` and `apiKey` are those of the dialect unless given; nothing is read of what the environment says for OpenAI. */
export type OpenAICompatibleOptions = ChatOptions;

/** A host that speaks Chat Completions: one that is listed, or a row of your own with a name. A `baseURL` or key that is missing is the error of the turn. */
export function openaiCompatible(
  dialect: DialectName | (Dialect & { readonly name: string }),
  model: string,
  options: OpenAICompatibleOptions = {},
): Adapter {
  const { name, ...row } = typeof dialect === "string" ? { name: dialect, ...dialects[dialect] } : dialect;
  const { baseURL: _, keyVariable: __, stops, errors, callIds = chatCallIds, relabels = false, maxTokens, ...quirks } = row;
  return chatAdapter(
    {
      ...{ provider: name, model, callIds, relabels, stops, errors, quirks },
      noEnd: "If this host never says why it ends, a dialect with `doneEnds` takes `[DONE]` for the word.",
      connect: () => connect({ name, ...row }, options),
    },
    { ...options, maxTokens: maxTokens === undefined ? options.maxTokens : { ...maxTokens, ...options.maxTokens } },
  );
}
