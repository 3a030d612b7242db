import type { Adapter } from "@fullstop/core";
import { checkAdapterOptions, commonKinds } from "@fullstop/core/adapter";
import {
  type ChatOptions,
  chatAdapter,
  chatCallIds,
  hostClientOptions,
} from "@fullstop/provider-openai/protocol";
import type { DialectName } from "./dialect.ts";
import { type NamedDialect, parseDialect } from "./host.ts";

export type { Dialect, DialectName } from "./dialect.ts";
export { dialects } from "./dialects.ts";
export { type Ending, endings } from "./endings.ts";
export type { NamedDialect } from "./host.ts";

/**
 * `baseURL` and `apiKey` default to those of the dialect. The environment variables of OpenAI's SDK
 * are ignored, except for the key that the dialect names.
 */
export type OpenAICompatibleOptions = ChatOptions;

/**
 * An adapter for a host that speaks Chat Completions: a listed dialect, or your own with a name. If
 * the `baseURL` or the key is missing, the turn ends with an error.
 * @throws TypeError or RangeError if no dialect has this name, if `params` holds the output cap or
 * stop sequences that the host mislabels, and for options that cannot work. The message names the
 * option.
 */
export function openaiCompatible(
  dialect: DialectName | NamedDialect,
  model: string,
  options: OpenAICompatibleOptions = {},
): Adapter {
  checkAdapterOptions(options, commonKinds, "openaiCompatible");
  const { name, row, reply } = parseDialect(dialect, model, {
    ...options,
    baseURL: addressOf(options),
  });
  const { callIds = chatCallIds, maxTokens, outputFormat, mislabelsStopSequences } = row;
  if (mislabelsStopSequences) refuseStopSequences(name, options.params);
  return chatAdapter(
    {
      ...reply,
      callIds,
      outputFormat,
      about: { name, keyVariable: row.keyVariable, baseURL: row.baseURL },
      clientOptions: () => hostClientOptions({ name, ...row }, options),
    },
    {
      ...options,
      maxTokens:
        maxTokens === undefined ? options.maxTokens : { ...maxTokens, ...options.maxTokens },
    },
  );
}

/** A client of the caller has an address of its own. */
function addressOf({ client, baseURL }: OpenAICompatibleOptions): string | undefined {
  if (client === undefined) return baseURL;
  return "baseURL" in client ? String(client.baseURL) : "";
}

function refuseStopSequences(name: string, params: ChatOptions["params"]): void {
  if ([params?.stop ?? []].flat().length === 0) return;
  throw new TypeError(
    `The server of "${name}" reports a call that a stop sequence cut as finished: leave out \`params.stop\`. If no request has tools, pass the row of the dialect with \`mislabelsStopSequences: false\` and a name.`,
  );
}
