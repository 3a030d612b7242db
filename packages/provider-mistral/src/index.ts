import type { Adapter } from "@fullstop/core";
import { type CallIdRule, checkAdapterOptions, commonKinds } from "@fullstop/core/adapter";
import {
  type ChatOptions,
  type ChatParams,
  type ChatQuirks,
  chatAdapter,
  hostClientOptions,
} from "@fullstop/provider-openai/protocol";
import { mistralReferences } from "./references.ts";
import { replyHost } from "./reply-host.ts";

export type { MistralReplyOptions } from "./reply.ts";

/** The parameters that the API shares with OpenAI's. It refuses OpenAI's other parameters. */
type SharedParams =
  | "frequency_penalty"
  | "metadata"
  | "parallel_tool_calls"
  | "prediction"
  | "presence_penalty"
  | "response_format"
  | "stop"
  | "temperature"
  | "tool_choice"
  | "top_p";

/**
 * Parameters of https://docs.mistral.ai/api, sent with every request. The request's own values win.
 */
export interface MistralParams extends Pick<ChatParams, SharedParams> {
  readonly random_seed?: number | undefined;
  readonly safe_prompt?: boolean | undefined;
  /** Requests with one key are cached together. */
  readonly prompt_cache_key?: string | undefined;
  /** `"standard_only"` never uses priority capacity. */
  readonly service_tier?: "auto" | "standard_only" | undefined;
  /** For Magistral models. `null` leaves out their system prompt for reasoning. */
  readonly prompt_mode?: "reasoning" | null | undefined;
}

/**
 * `baseURL` is `https://api.mistral.ai/v1` by default, and `apiKey` the value of `MISTRAL_API_KEY`.
 * The environment variables of OpenAI are ignored.
 */
export interface MistralOptions extends Omit<ChatOptions, "params"> {
  /** Parameters of the provider's API, sent with every request. The request's own values win. */
  readonly params?: MistralParams | undefined;
}

/** Tokenizers up to V11 refuse all other ids (ironclaw#1241, gptel#1203). */
const callIds: CallIdRule = { maxLength: 9, allowed: /^[a-zA-Z0-9]{9}$/ };

const requestQuirks: ChatQuirks = {
  /** The API always reports usage, and refuses the parameter (anon-kode#53). */
  noStreamOptions: true,
  /** The API has refused a user message after results (litellm#6323, hermes-agent#20154). */
  answersResults: true,
  namesResults: true,
  required: "any",
  reference: mistralReferences,
  /** The API has two efforts (models.dev#1986); models without thinking refuse the parameter. */
  effort: {
    none: { reasoning_effort: "none" },
    low: { reasoning_effort: "high" },
    medium: { reasoning_effort: "high" },
    high: { reasoning_effort: "high" },
  },
};

/**
 * The API takes a schema for the text of a reply. That it does so beside tools is not documented.
 * https://docs.mistral.ai/capabilities/structured-output/custom_structured_output
 */
const outputFormat = "without-tools" as const;

const host = {
  name: "Mistral",
  baseURL: "https://api.mistral.ai/v1",
  keyVariable: "MISTRAL_API_KEY",
};

/**
 * Mistral's API, which is Chat Completions with its own rules, through OpenAI's SDK.
 * https://docs.mistral.ai/api
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function mistral(model: string, options: MistralOptions = {}): Adapter {
  checkAdapterOptions(options, commonKinds, "mistral");
  const reply = replyHost(model);
  return chatAdapter(
    {
      ...reply,
      quirks: { ...reply.quirks, ...requestQuirks },
      callIds,
      outputFormat,
      about: host,
      clientOptions: () => hostClientOptions(host, options),
    },
    // The API has values of its own, such as `service_tier: "standard_only"`.
    { ...options, params: options.params as ChatParams | undefined },
  );
}
