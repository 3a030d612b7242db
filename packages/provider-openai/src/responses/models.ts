import type { Effort } from "@fullstop/core";
import type OpenAI from "openai";

type Level = NonNullable<OpenAI.ReasoningEffort>;
interface ModelFamily {
  readonly pattern: RegExp;
  /** The lowest effort that the models accept; absent if they do not reason. */
  readonly lowestEffort?: Level;
  readonly ceiling: number;
}

/** The first that matches counts. https://platform.openai.com/docs/models */
const families: readonly ModelFamily[] = [
  { pattern: /gpt-3|gpt-4o|chatgpt/, ceiling: 16_384 },
  { pattern: /gpt-4\.1|gpt-4|gpt-5.{0,40}chat/, ceiling: 32_768 },
  { pattern: /^o\d|\/o\d/, lowestEffort: "low", ceiling: 100_000 },
  { pattern: /gpt-5(\.\d)?-pro/, lowestEffort: "high", ceiling: 272_000 },
  { pattern: /gpt-5-codex|gpt-oss/, lowestEffort: "low", ceiling: 128_000 },
  { pattern: /gpt-5(?!\.\d)/, lowestEffort: "minimal", ceiling: 128_000 },
];
const laterModels: ModelFamily = { pattern: /./, lowestEffort: "none", ceiling: 128_000 };
const familyOf = (model: string): ModelFamily =>
  families.find(({ pattern }) => pattern.test(model)) ?? laterModels;

export const ceilingOf = (model: string): number => familyOf(model).ceiling;
export const canReason = (model: string): boolean => familyOf(model).lowestEffort !== undefined;

/** Undefined for models that do not reason: they refuse the parameter. */
export function encodeEffort(model: string, effort: Effort): Level | undefined {
  const { lowestEffort } = familyOf(model);
  return effort === "none" || lowestEffort === undefined ? lowestEffort : effort;
}
