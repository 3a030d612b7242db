import type { Effort } from "@fullstop/core";
import { type ThinkingConfig, ThinkingLevel } from "@google/genai";

/** What models before Gemini 3 do not have: signatures that are demanded, thinking by levels, media in tool results. */
export const isEarly = (model: string): boolean => /gemini-(pro|[12])(?!\d)|gemma|learnlm/.test(model);

/** The most output tokens that a model takes. https://ai.google.dev/gemini-api/docs/models */
export const ceilingOf = (model: string): number => (/gemini-(1|2\.0)/.test(model) ? 8192 : 65_536);

type Levels = Readonly<Record<Effort, ThinkingLevel>>;
type Budgets = Readonly<Record<Effort, number>>;

const levels: Levels = { none: ThinkingLevel.LOW, low: ThinkingLevel.LOW, medium: ThinkingLevel.MEDIUM, high: ThinkingLevel.HIGH };
const budgets: Budgets = { none: 0, low: 2048, medium: 8192, high: 24_576 };

/** The first rule whose pattern fits counts. Thinking of Gemini 3 cannot be switched off. https://ai.google.dev/gemini-api/docs/thinking */
const rules: readonly (readonly [RegExp, Levels | Budgets | undefined])[] = [
  [/gemini-2\.5-pro/, { ...budgets, none: 128 }],
  [/gemini-2\.5/, budgets],
  [/gemini-(pro|[12])(?!\d)|gemma|learnlm/, undefined],
  [/gemini-3-pro/, { ...levels, medium: ThinkingLevel.HIGH }],
  [/gemini-3(\.[0-6])?-flash/, { ...levels, none: ThinkingLevel.MINIMAL }],
];

/** How a model is asked to think so much; nothing where it cannot be asked. A budget leaves half the cap for the answer. */
export function thinking(effort: Effort, { model, cap }: { readonly model: string; readonly cap: number }): ThinkingConfig {
  const rule = rules.find(([pattern]) => pattern.test(model));
  const amount = (rule === undefined ? levels : rule[1])?.[effort];
  if (amount === undefined) return {};
  return typeof amount === "number" ? { thinkingBudget: Math.min(amount, Math.floor(cap / 2)) } : { thinkingLevel: amount };
}
