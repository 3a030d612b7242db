import {
  anyText,
  anyValue,
  checkOptions,
  listOf,
  type OptionKinds,
  refuseCap,
} from "@fullstop/core/adapter";
import type { InteractionsParams } from "./encode.ts";

const paramKinds: OptionKinds<Required<InteractionsParams>> = {
  cached_content: anyText,
  generation_config: anyValue,
  labels: anyValue,
  response_format: anyValue,
  response_modalities: /* @__PURE__ */ listOf("modalities"),
  safety_settings: /* @__PURE__ */ listOf("settings"),
  service_tier: anyText,
};

const configKinds: OptionKinds<Required<NonNullable<InteractionsParams["generation_config"]>>> = {
  image_config: anyValue,
  seed: anyValue,
  speech_config: anyValue,
  stop_sequences: /* @__PURE__ */ listOf("texts"),
  temperature: anyValue,
  thinking_level: anyText,
  thinking_summaries: anyText,
  tool_choice: anyValue,
  top_p: anyValue,
  transcription_config: anyValue,
  video_config: anyValue,
};

/** Names of generateContent, in small letters without `_`. */
const aliases: Readonly<Record<string, string>> = /* @__PURE__ */ createAliases();

function createAliases(): Readonly<Record<string, string>> {
  const ofConfig = Object.keys(configKinds).map((name) => name.replaceAll("_", ""));
  return {
    thinkingconfig: "generation_config",
    toolconfig: "generation_config",
    responsejsonschema: "response_format",
    responseschema: "response_format",
    ...Object.fromEntries(ofConfig.map((name) => [name, "generation_config"])),
  };
}

/** Parameters with which the API keeps the conversation, or runs without the program. */
const stateful: ReadonlySet<string> = new Set([
  "agent",
  "agentconfig",
  "background",
  "continuationtoken",
  "environment",
  "previousinteractionid",
  "store",
  "webhookconfig",
]);

/**
 * Refuses parameters that the API does not know: it answers a request that has one with a 400.
 * @throws TypeError that names the parameter, and says where the one belongs that was meant.
 */
export function checkInteractionsParams(params: InteractionsParams | undefined): void {
  if (params === undefined) return;
  checkOptions(params, paramKinds, { parent: "params", aliases, advise, hidesValues: true });
  const { generation_config: config } = params;
  if (config === undefined) return;
  const { max_output_tokens: cap } = config as { readonly max_output_tokens?: unknown };
  refuseCap({ "generation_config.max_output_tokens": cap }, [
    "generation_config.max_output_tokens",
  ]);
  checkOptions(config, configKinds, { parent: "params.generation_config", hidesValues: true });
}

const advise = (letters: string): string | undefined =>
  stateful.has(letters)
    ? "The adapter keeps the history itself: each request has all of it, with `store: false`."
    : undefined;
