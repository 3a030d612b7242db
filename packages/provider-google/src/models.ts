import type { Effort } from "@fullstop/core";
import { type ThinkingConfig, ThinkingLevel } from "@google/genai";

const early = /gemini-(pro(-vision)?$|[12](?!\d))/;

/** Gemini 3 and later: signatures are demanded, tools may answer with media. */
export const isRecent = (model: string): boolean => /gemini-/.test(model) && !early.test(model);

/** The most output tokens that a model takes. https://ai.google.dev/gemini-api/docs/models */
export const ceilingOf = (model: string): number => (/gemini-(1|2\.0)/.test(model) ? 8192 : 65_536);

type Levels = Readonly<Record<Effort, ThinkingLevel>>;
type Budgets = Readonly<Record<Effort, number>>;

const levels: Levels = {
  none: ThinkingLevel.LOW,
  low: ThinkingLevel.LOW,
  medium: ThinkingLevel.MEDIUM,
  high: ThinkingLevel.HIGH,
};
const budgets: Budgets = { none: 0, low: 2048, medium: 8192, high: 24_576 };

/** The first rule whose pattern fits counts. Thinking of Gemini 3 cannot be switched off. https://ai.google.dev/gemini-api/docs/thinking */
const rules: readonly (readonly [RegExp, Levels | Budgets | undefined])[] = [
  [/gemini-2\.5-pro/, { ...budgets, none: 128 }],
  [/gemini-2\.5/, budgets],
  [early, undefined],
  [/gemma|learnlm/, undefined],
  [/gemini-3-pro/, { ...levels, medium: ThinkingLevel.HIGH }],
  [/gemini-3(\.[0-6])?-flash/, { ...levels, none: ThinkingLevel.MINIMAL }],
];

/** The smallest budget that every model with budgets takes. */
const least = 512;

/** How a model is asked to think so much; nothing where it cannot be asked. A budget leaves half the cap for the answer. */
export function thinking(
  effort: Effort,
  { model, cap }: { readonly model: string; readonly cap: number },
): ThinkingConfig {
  const rule = rules.find(([pattern]) => pattern.test(model));
  const amount = (rule === undefined ? levels : rule[1])?.[effort];
  if (amount === undefined) return {};
  if (typeof amount !== "number") return { thinkingLevel: amount };
  if (effort === "none") return { thinkingBudget: amount };
  const budget = Math.min(amount, Math.floor(cap / 2));
  return budget < least ? {} : { thinkingBudget: budget };
}
