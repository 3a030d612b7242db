import { imageUrlsAndFileIds } from "./encode/references.ts";
import type { Quirks } from "./quirks.ts";

/** How OpenAI itself serves a model. */
export const openaiQuirks = (model: string): Quirks => ({
  reasoningTokens: "counted",
  capName: "max_completion_tokens",
  customTools: true,
  files: true,
  reference: imageUrlsAndFileIds,
  effort: {
    none: { reasoning_effort: lowestEffort(model) },
    low: { reasoning_effort: "low" },
    medium: { reasoning_effort: "medium" },
    high: { reasoning_effort: "high" },
  },
});

/** Models up to GPT-5 always think. https://developers.openai.com/api/docs/guides/reasoning */
const lowestEfforts: readonly (readonly [RegExp, string])[] = [
  [/^o\d/, "low"],
  [/^gpt-5(?!\.)/, "minimal"],
];
const lowestEffort = (model: string): string =>
  lowestEfforts.find(([pattern]) => pattern.test(model))?.[1] ?? "none";
