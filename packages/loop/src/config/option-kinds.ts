import type { NativeTool, TurnRequest } from "@fullstop/core";
import {
  abortSignal,
  anyFunction,
  anyObject,
  anyText,
  anyValue,
  checkOptions,
  requestKinds as kinds,
  listOf,
  type OptionKind,
  type OptionKinds,
  positiveInteger,
  positiveNumber,
  trueOrFalse,
  wholeNumber,
  withMethods,
} from "@fullstop/core/adapter";
import type { Limits } from "../contract/limits.ts";
import type { JournalOptions, RecoveryOptions, RunOptions, Waiting } from "../contract/options.ts";
import type { Fallback, FallbackCause, RequestSettings, TurnChanges } from "../contract/ports.ts";
import type { Tool } from "../contract/tool.ts";
import { isObject } from "../util/values.ts";
import { adviseOnOption, optionAliases } from "./foreign-names.ts";

const positiveFiniteNumber: OptionKind = {
  isValid: (value) => Number.isFinite(value) && Number(value) > 0,
  expected: "more than 0",
};
/** Milliseconds that a timer can wait. */
const timerMs: OptionKind = {
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

const oneOrMoreFunctions: OptionKind = {
  isValid: (value) => [value].flat().every(anyFunction.isValid),
  expected: "a function, or a list of functions",
};
export const optionKinds: OptionKinds<Required<RunOptions>> = {
  adapter: adapterKind,
  system: anyText,
  prompt: {
    isValid: (value) => typeof value === "string" || Array.isArray(value),
    expected: "a string, or a list of text, image and file blocks",
  },
  messages: listOf("messages"),
  tools: listOf("tools"),
  output: { isValid: isObject, expected: "a schema, such as `z.object({ … })`" },
  approve: anyFunction,
  request: anyObject,
  limits: anyObject,
  recovery: anyObject,
  beforeTurn: anyFunction,
  stopWhen: oneOrMoreFunctions,
  journal: anyObject,
  waiting: anyObject,
  signal: abortSignal,
  onEvent: oneOrMoreFunctions,
};

/** The keys that a tool may have. A misspelt `execute` would make a tool that runs elsewhere. */
export const toolKinds: OptionKinds<Required<Tool & NativeTool>> = {
  name: anyValue,
  description: anyValue,
  inputSchema: anyValue,
  execute: anyFunction,
  ends: trueOrFalse,
  needsApproval: {
    isValid: (value) => trueOrFalse.isValid(value) || anyFunction.isValid(value),
    expected: "true, false or a function",
  },
  concurrency: positiveInteger,
  salvage: anyObject,
  timeoutMs: positiveNumber,
  exclusive: trueOrFalse,
  idempotent: trueOrFalse,
  polls: trueOrFalse,
  revision: anyText,
  provider: anyText,
  definition: anyValue,
};

export const limitKinds: OptionKinds<Limits> = {
  turns: positiveInteger,
  toolCalls: positiveInteger,
  outputTokens: positiveInteger,
  cost: positiveFiniteNumber,
  price: anyFunction,
  deadlineMs: positiveFiniteNumber,
  firstEventMs: positiveNumber,
  idleMs: positiveNumber,
  concurrency: positiveInteger,
  resultChars: positiveInteger,
};

export const recoveryKinds: OptionKinds<RecoveryOptions> = {
  requests: positiveInteger,
  notes: wholeNumber,
  capRaises: wholeNumber,
  leakedCalls: trueOrFalse,
  maxWaitMs: timerMs,
  compact: anyFunction,
  fallback: listOf("`{ adapter, when }`"),
};

const causes: Readonly<Record<FallbackCause, true>> = {
  refused: true,
  filtered: true,
  failed: true,
  window: true,
};
const causeList: OptionKind = {
  isValid: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((cause) => typeof cause === "string" && Object.hasOwn(causes, cause)),
  expected: `a list with at least one of ${Object.keys(causes)
    .map((cause) => JSON.stringify(cause))
    .join(", ")}`,
};
export const fallbackKinds: OptionKinds<Fallback> = { adapter: adapterKind, when: causeList };

export const journalKinds: OptionKinds<JournalOptions> = {
  store: withMethods(["open"], "a journal, such as `fileJournal(path)` returns"),
  runId: anyText,
  settle: anyFunction,
};

export const waitingKinds: OptionKinds<Waiting> = {
  turn: anyValue,
  decisions: anyObject,
  results: anyObject,
  settlements: anyObject,
  inputs: anyObject,
};

export const changeKinds: OptionKinds<TurnChanges> = {
  messages: anyValue,
  adapter: adapterKind,
  system: anyText,
  tools: listOf("tools"),
  ...requestKinds,
};

/** A forced choice applies to the first turn only. */
export const unforced = (choice: TurnRequest["toolChoice"]): TurnRequest["toolChoice"] =>
  choice === undefined || choice === "none" ? choice : "auto";
