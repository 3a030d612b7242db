import type { Adapter } from "@fullstop/core";
import type { CallIdRule } from "@fullstop/core/adapter";
import {
  type ChatOptions,
  type ChatParams,
  type ChatQuirks,
  chatAdapter,
  connect,
} from "@fullstop/provider-openai/protocol";
import { errors } from "./errors.ts";
import { stops } from "./stops.ts";

export { errors } from "./errors.ts";
export { type MistralStop, stops } from "./stops.ts";

/** Parameters of the API that it shares with OpenAI's; any other is refused. */
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

/** Parameters of https://docs.mistral.ai/api that go with every request. What a request itself says counts more. */
export interface MistralParams extends Pick<ChatParams, SharedParams> {
  readonly random_seed?: number | undefined;
  readonly safe_prompt?: boolean | undefined;
  /** For Magistral models, which think unless they are told otherwise. */
  readonly prompt_mode?: "reasoning" | null | undefined;
}

/** `baseURL` is `https://api.mistral.ai/v1` and `apiKey` that of `MISTRAL_API_KEY` unless given; nothing is read of what the environment says for OpenAI. */
export interface MistralOptions extends Omit<ChatOptions, "params"> {
  /** Parameters of the provider's API that go with every request. What a request itself says counts more. */
  readonly params?: MistralParams | undefined;
}

/** Tokenizers up to V11 refuse any other (ironclaw#1241, gptel#1203). */
const callIds: CallIdRule = { maxLength: 9, allowed: /^[a-zA-Z0-9]{9}$/ };

const quirks: ChatQuirks = {
  reasoningTokens: "counted",
  /** It reports usage by itself and refuses the parameter (anon-kode#53). */
  noStreamOptions: true,
  /** It has refused a user's message right behind results (litellm#6323, hermes-agent#20154). */
  answersResults: true,
  namesResults: true,
  required: "any",
  /** It knows two efforts (models.dev#1986), and models that know none refuse the parameter. */
  effort: {
    none: { reasoning_effort: "none" },
    low: { reasoning_effort: "high" },
    medium: { reasoning_effort: "high" },
    high: { reasoning_effort: "high" },
  },
};

const host = {
  name: "mistral",
  baseURL: "https://api.mistral.ai/v1",
  keyVariable: "MISTRAL_API_KEY",
};

/** Mistral's own API: Chat Completions with rules of its own, through the SDK of OpenAI. https://docs.mistral.ai/api */
export function mistral(model: string, options: MistralOptions = {}): Adapter {
  const adapter = chatAdapter(
    {
      provider: "mistral",
      model,
      callIds,
      stops,
      errors,
      quirks,
      connect: () => connect(host, options),
    },
    options,
  );
  return { ...adapter, errors };
}
