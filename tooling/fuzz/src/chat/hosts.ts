import type { Adapter } from "@fullstop/core";
import { openaiChat } from "@fullstop/provider-openai";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
import type { StopMeaning } from "../reading.ts";

/** A host of the protocol, as its documents and public issues describe it. */
export interface Host {
  /**
   * What can replace a missing stop reason, with a usage behind the content: a complete body, or for
   * a host that `omits` the reason `[DONE]` too.
   */
  readonly doneEnds: "never" | "body" | "omits";
  /** Reports a truncated reply as finished. */
  readonly mislabelsTruncation?: true;
  /**
   * How its usage counts reasoning: beside the output, or as output that the cap does not include.
   */
  readonly reasoning?: "beside" | "uncapped";
  /** Only the index identifies a call; ids change in every chunk. */
  readonly rotates?: true;
  /** Each chunk repeats the arguments from their beginning. */
  readonly restates?: true;
  /** Additional native stop reasons of this host. */
  readonly stops?: Readonly<Record<string, StopMeaning>>;
}

const foreignStops = {
  tool_use: "tool-use",
  end_turn: "stop",
  tool_call: "tool-use",
  TOOL_CALLS: "tool-use",
  eos: "stop",
} as const;

export const hosts = {
  openai: { doneEnds: "never" },
  custom: { doneEnds: "body", stops: foreignStops },
  vllm: { doneEnds: "never", mislabelsTruncation: true, stops: { abort: "error" } },
  nim: { doneEnds: "omits" },
  xai: { doneEnds: "omits", reasoning: "beside" },
  qwen: { doneEnds: "body", reasoning: "uncapped" },
  rotating: { doneEnds: "body", rotates: true },
  restating: { doneEnds: "body", restates: true },
} as const satisfies Readonly<Record<string, Host>>;
export type HostName = keyof typeof hosts;
export const hostOf = (name: string): Host => hosts[name as HostName];

const chatMeanings: Readonly<Record<string, StopMeaning>> = {
  stop: "stop",
  tool_calls: "tool-use",
  function_call: "tool-use",
  length: "length",
  content_filter: "content-filter",
};
/** https://developers.openai.com/api/reference/resources/chat */
export const chatStops: readonly string[] = [...Object.keys(chatMeanings), "surprise"];
export const chatMeaning = (stop: string, host: Host): StopMeaning =>
  chatMeanings[stop] ?? host.stops?.[stop] ?? "unknown";
/** Native stop reasons that only some hosts use. */
export const isForeignStop = (stop: string): boolean => Object.hasOwn(foreignStops, stop);

export function chatAdapters(fetch: typeof globalThis.fetch): Readonly<Record<HostName, Adapter>> {
  const own = { apiKey: "none", fetch };
  const options = { ...own, baseURL: "http://host.invalid/v1" };
  return {
    openai: openaiChat("gpt-5.5", { apiKey: "none", fetch }),
    custom: openaiCompatible("custom", "model", options),
    vllm: openaiCompatible("vllm", "model", options),
    nim: openaiCompatible("nim", "model", own),
    xai: openaiCompatible("xai", "model", own),
    qwen: openaiCompatible("qwen", "model", options),
    rotating: openaiCompatible({ name: "rotating", rotatesIds: true }, "model", options),
    restating: openaiCompatible({ name: "restating", restatesArguments: true }, "model", options),
  };
}
