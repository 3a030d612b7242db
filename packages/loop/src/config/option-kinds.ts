import type { TurnRequest } from "@fullstop/core";
import {
  checkOptions,
  requestKinds as kinds,
  type OptionKind,
  type OptionKinds,
} from "@fullstop/core/adapter";
import type { RequestSettings } from "../contract/ports.ts";
import { isObject } from "../util/values.ts";
import { adviseOnOption, optionAliases } from "./foreign-names.ts";

export {
  abortSignal,
  anyFunction,
  anyObject,
  anyText,
  anyValue,
  listOf,
  type OptionKind,
  type OptionKinds,
  positiveInteger,
  positiveNumber,
  trueOrFalse,
  withMethods,
} from "@fullstop/core/adapter";

export const nonNegativeInteger: OptionKind = {
  isValid: (value) => Number.isInteger(value) && Number(value) >= 0,
  expected: "a whole number, at least 0",
};
export const positiveFiniteNumber: OptionKind = {
  isValid: (value) => Number.isFinite(value) && Number(value) > 0,
  expected: "more than 0",
};
/** Milliseconds that a timer can wait. */
export const timerMs: OptionKind = {
  isValid: (value) => typeof value === "number" && value >= 0 && value < 2 ** 31,
  expected: "between 0 and 2147483647",
};
export const adapterKind: OptionKind = {
  isValid: (value) => isObject(value) && value["contract"] === 1,
  expected: 'an adapter, such as `anthropic("claude-sonnet-5-5")` returns (`contract` is 1)',
};

/** `parent` contains these options. `aliases`: what names of other libraries mean here. */
export const assertOptions = <Options extends object>(
  options: Options,
  kinds: OptionKinds<Required<Options>>,
  parent?: string,
  aliases: Readonly<Record<string, string>> = optionAliases,
): void =>
  checkOptions(options, kinds, {
    parent,
    aliases,
    advise: aliases === optionAliases ? adviseOnOption : undefined,
  });

export const requestKinds: OptionKinds<RequestSettings> = {
  toolChoice: kinds.toolChoice,
  maxTokens: kinds.maxTokens,
  effort: kinds.effort,
  cache: kinds.cache,
};

/** A forced choice applies to the first turn only. */
export const unforced = (choice: TurnRequest["toolChoice"]): TurnRequest["toolChoice"] =>
  choice === undefined || choice === "none" ? choice : "auto";
