import type { Effort } from "@fullstop/core";
import type OpenAI from "openai";

type Level = NonNullable<OpenAI.ReasoningEffort>;
/** What a family of models can do. */
interface Family {
  readonly pattern: RegExp;
  /** The least thinking that they can be asked for; absent where they do not think. */
  readonly least?: Level;
  /** The most output tokens. */
  readonly ceiling: number;
}

/** The first whose pattern fits the model's name counts. https://platform.openai.com/docs/models */
const families: readonly Family[] = [
  { pattern: /gpt-3|gpt-4o|chatgpt/, ceiling: 16_384 },
  { pattern: /gpt-4\.1|gpt-4|gpt-5.*chat/, ceiling: 32_768 },
  { pattern: /^o\d|\/o\d/, least: "low", ceiling: 100_000 },
  { pattern: /gpt-5(\.\d)?-pro/, least: "high", ceiling: 272_000 },
  { pattern: /gpt-5-codex|gpt-oss/, least: "low", ceiling: 128_000 },
  { pattern: /gpt-5(?!\.\d)/, least: "minimal", ceiling: 128_000 },
];
const later: Family = { pattern: /./, least: "none", ceiling: 128_000 };
const familyOf = (model: string): Family =>
  families.find(({ pattern }) => pattern.test(model)) ?? later;

export const ceilingOf = (model: string): number => familyOf(model).ceiling;
export const thinks = (model: string): boolean => familyOf(model).least !== undefined;

/** Models that do not think refuse to be told how much. */
export function effortOf(model: string, effort: Effort): Level | undefined {
  const { least } = familyOf(model);
  return effort === "none" || least === undefined ? least : effort;
}
