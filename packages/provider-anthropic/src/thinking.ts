import type Anthropic from "@anthropic-ai/sdk";
import type { Effort } from "@fullstop/core";

export type ThinkingParams = Pick<Anthropic.MessageCreateParams, "thinking" | "output_config">;
type Level = Exclude<Effort, "none">;

interface ThinkingRule {
  /** `cap` is the request's output cap, which thinking counts against. */
  think(level: Level, cap: number): ThinkingParams;
  /** The least thinking that the model can be asked for. */
  readonly least: ThinkingParams;
}

const adaptive = (effort: Level): ThinkingParams => ({
  thinking: { type: "adaptive" },
  output_config: { effort },
});
const budgets: Readonly<Record<Level, number>> = { low: 2048, medium: 8192, high: 16_384 };
const least = 1024;

/** Claude 4.6 and later. */
const adjustable: ThinkingRule = { think: adaptive, least: { thinking: { type: "disabled" } } };
/** The first rule whose pattern fits the model's name (as Bedrock, Google Cloud and Copilot spell it too) counts. https://platform.claude.com/docs/en/build-with-claude/thinking */
const exceptions: readonly (readonly [RegExp, ThinkingRule])[] = [
  [/fable|mythos|opus-5[-.]5/, { think: adaptive, least: { output_config: { effort: "low" } } }],
  [/sonnet-5[-.]5/, { think: adaptive, least: { thinking: { type: "between_tools" } } }],
  [
    /claude-3|-4[-.][0-5](?!\d)|-4[-@]20|-4$/,
    { think: budgeted, least: { thinking: { type: "disabled" } } },
  ],
];

/** Up to Claude 4.5 thinking has a budget of at least 1,024 tokens and below the cap, and there is no effort. */
function budgeted(level: Level, cap: number): ThinkingParams {
  const budget = Math.min(budgets[level], Math.floor(cap / 2));
  return budget < least ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}

export const thinkingRule = (model: string): ThinkingRule =>
  exceptions.find(([pattern]) => pattern.test(model))?.[1] ?? adjustable;
