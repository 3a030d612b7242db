import type { Adapter } from "@fullstop/core";
import {
  type ChatOptions,
  chatAdapter,
  chatCallIds,
  connect,
} from "@fullstop/provider-openai/protocol";
import { type Dialect, type DialectName, dialects } from "./dialects.ts";
import { nearest } from "./nearest.ts";

export { type Dialect, type DialectName, dialects } from "./dialects.ts";
/** `baseURL` and `apiKey` are those of the dialect unless given; nothing is read of what the environment says for OpenAI. */
export type OpenAICompatibleOptions = ChatOptions;

/**
 * A host that speaks Chat Completions: one that is listed, or a row of your own with a name. A `baseURL` or key that is missing is the error of the turn.
 * @throws TypeError if no dialect has this name, or `params` holds the output cap.
 */
export function openaiCompatible(
  dialect: DialectName | (Dialect & { readonly name: string }),
  model: string,
  options: OpenAICompatibleOptions = {},
): Adapter {
  const { name, ...row } =
    typeof dialect === "string" ? { name: dialect, ...listed(dialect) } : dialect;
  const {
    baseURL: _,
    keyVariable: __,
    stops,
    errors,
    callIds = chatCallIds,
    mislabelsTruncation = false,
    maxTokens,
    ...quirks
  } = row;
  const mislabels = options.mislabelsTruncation ?? mislabelsTruncation;
  return chatAdapter(
    {
      ...{
        provider: name,
        model,
        callIds,
        mislabelsTruncation: mislabelsTruncation,
        stops,
        errors,
      },
      quirks: { ...quirks, doneEnds: quirks.doneEnds ?? (mislabels ? false : "counted") },
      missingEndHint:
        "If this host never says why it ends, a dialect with `doneEnds: true` takes `[DONE]` for the word.",
      connect: () => connect({ name, ...row }, options),
    },
    {
      ...options,
      maxTokens:
        maxTokens === undefined ? options.maxTokens : { ...maxTokens, ...options.maxTokens },
    },
  );
}

/** A `baseURL` does not make another host out of a name that is misspelt. */
function listed(name: string): Dialect {
  const row = Object.entries(dialects).find(([known]) => known === name)?.[1];
  if (row !== undefined) return row;
  const meant = nearest(name, Object.keys(dialects));
  throw new TypeError(
    `No dialect is called "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`} A host that is not listed is "custom", with its \`baseURL\`, or a row of your own: \`{ name, … }\`.`,
  );
}
