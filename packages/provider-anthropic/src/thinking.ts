import type Anthropic from "@anthropic-ai/sdk";
import type { Effort } from "@fullstop/core";

export type ThinkingParams = Pick<Anthropic.MessageCreateParams, "thinking" | "output_config">;
type Level = Exclude<Effort, "none">;

/** How a model is asked to think. */
interface ThinkingRule {
  /** `cap` is the request's output cap in tokens; thinking counts against it. */
  paramsFor(level: Level, cap: number): ThinkingParams;
  /** The least thinking that the model accepts. */
  readonly minimum: ThinkingParams;
}

const adaptive = (effort: Level): ThinkingParams => ({
  thinking: { type: "adaptive" },
  output_config: { effort },
});

/** In tokens. */
const budgets: Readonly<Record<Level, number>> = { low: 2048, medium: 8192, high: 16_384 };
const minimumBudget = 1024;

/** Up to Claude 4.5: a budget of at least 1,024 tokens and below the cap, and no effort. */
function budgeted(level: Level, cap: number): ThinkingParams {
  const budget = Math.min(budgets[level], Math.floor(cap / 2));
  return budget < minimumBudget ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}

const disabled: ThinkingParams = { thinking: { type: "disabled" } };
/** Claude 4.6 and later. */
const defaultRule: ThinkingRule = { paramsFor: adaptive, minimum: disabled };
/**
 * The first pattern that matches the model's name counts, also as Bedrock, Google Cloud and Copilot
 * spell the name. https://platform.claude.com/docs/en/build-with-claude/thinking
 */
const exceptions: readonly (readonly [RegExp, ThinkingRule])[] = [
  [
    /fable|mythos|opus-5[-.]5/,
    { paramsFor: adaptive, minimum: { output_config: { effort: "low" } } },
  ],
  [/sonnet-5[-.]5/, { paramsFor: adaptive, minimum: { thinking: { type: "between_tools" } } }],
  [/claude-3|-4[-.][0-5](?!\d)|-4[-@]20|-4$/, { paramsFor: budgeted, minimum: disabled }],
];

export const thinkingRule = (model: string): ThinkingRule =>
  exceptions.find(([pattern]) => pattern.test(model))?.[1] ?? defaultRule;
