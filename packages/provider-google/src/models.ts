import type { Adapter, Effort } from "@fullstop/core";
import type { ThinkingConfig, ThinkingLevel } from "@google/genai";
import { ceilingOf } from "./ceiling.ts";

const beforeGemini3 = /gemini-(pro(-vision)?$|[12](?!\d))/;

/** Gemini 3 and later: calls need signatures, and tool results may hold media. */
export const isGemini3OrLater = (model: string): boolean =>
  /gemini-/.test(model) && !beforeGemini3.test(model);

/**
 * When a model takes a schema for the text of a reply. Before Gemini 3 the API refuses it in a
 * request with tools (python-genai#867). https://ai.google.dev/gemini-api/docs/structured-output
 */
export function outputFormatOf(model: string): Adapter["outputFormat"] {
  if (isGemini3OrLater(model)) return /image|tts|audio/.test(model) ? undefined : "always";
  return /gemini-2\.5-(pro|flash)(?!-(image|preview-tts|native-audio))/.test(model)
    ? "without-tools"
    : undefined;
}

const defaultCap = 32_000;

/** The output caps of an adapter: those of its options, or of the model. */
export function capsOf(
  model: string,
  given: Adapter["maxTokens"] = {},
): { readonly default: number; readonly ceiling: number } {
  const ceiling = given.ceiling ?? Math.max(given.default ?? 0, ceilingOf(model));
  return { default: given.default ?? Math.min(defaultCap, ceiling), ceiling };
}

/** A value of the enum loads the SDK, so the tables have its texts. */
type Levels = Readonly<Record<Effort, `${ThinkingLevel}`>>;
/** In tokens. */
type Budgets = Readonly<Record<Effort, number>>;

const levels: Levels = {
  none: "LOW",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
};
const budgets: Budgets = { none: 0, low: 2048, medium: 8192, high: 24_576 };

/**
 * The first pattern that matches counts; `undefined` if the model cannot be asked. Thinking of
 * Gemini 3 cannot be switched off. https://ai.google.dev/gemini-api/docs/thinking
 */
const thinkingRules: readonly (readonly [RegExp, Levels | Budgets | undefined])[] = [
  [/gemini-2\.5-pro/, { ...budgets, none: 128 }],
  [/gemini-2\.5/, budgets],
  [beforeGemini3, undefined],
  [/gemma|learnlm/, undefined],
  [/gemini-3-pro/, { ...levels, medium: "HIGH" }],
  [/gemini-3(\.[0-6])?-flash/, { ...levels, none: "MINIMAL" }],
];

/** The smallest budget that every model with budgets accepts. */
const minimumBudget = 512;

/** Empty if the model cannot be asked. A budget leaves at least half of the cap for the answer. */
export function thinkingConfig(
  effort: Effort,
  { model, cap }: { readonly model: string; readonly cap: number },
): ThinkingConfig {
  const rule = thinkingRules.find(([pattern]) => pattern.test(model));
  const amount = (rule === undefined ? levels : rule[1])?.[effort];
  if (amount === undefined) return {};
  if (typeof amount !== "number") return { thinkingLevel: amount as ThinkingLevel };
  if (effort === "none") return { thinkingBudget: amount };
  const budget = Math.min(amount, Math.floor(cap / 2));
  return budget < minimumBudget ? {} : { thinkingBudget: budget };
}
