import type { TurnRequest } from "@fullstop/core";
import { isObject } from "../util/values.ts";
import {
  anyFunction,
  anyObject,
  anyText,
  assertOptions,
  listOf,
  type OptionKind,
  type OptionKinds,
  oneOf,
  positiveInteger,
  positiveNumber,
  withMethods,
} from "./option-kinds.ts";
import type { RunOptions } from "./options.ts";
import { resolveJournal } from "./parse-journal.ts";
import { parseAttempts, parseLimits } from "./parse-limits.ts";
import { parseConversation } from "./parse-messages.ts";
import { parseTools } from "./parse-tools.ts";
import { parseWaiting } from "./parse-waiting.ts";
import type { RunConfig } from "./run-config.ts";

const adapterKind: OptionKind = {
  isValid: (value) => isObject(value) && value["contract"] === 1,
  expected: "an adapter of contract 1, such as `anthropic(model)` returns",
};
const namedChoice = oneOf("auto", "none", "required");
const toolChoiceKind: OptionKind = {
  isValid: (value) =>
    namedChoice.isValid(value) || (isObject(value) && typeof value["name"] === "string"),
  expected: `${namedChoice.expected}, or \`{ name }\``,
};

const optionKinds: OptionKinds<Required<RunOptions>> = {
  adapter: adapterKind,
  fallback: adapterKind,
  messages: listOf("messages"),
  prompt: {
    isValid: (value) => typeof value === "string" || Array.isArray(value),
    expected: "a string, or a list of text, image and file blocks",
  },
  system: anyText,
  tools: listOf("tools"),
  toolChoice: toolChoiceKind,
  maxTokens: positiveInteger,
  effort: oneOf("none", "low", "medium", "high"),
  cache: oneOf("auto", "off"),
  limits: anyObject,
  attempts: anyObject,
  price: anyFunction,
  compact: anyFunction,
  concurrency: positiveInteger,
  maxResultChars: positiveInteger,
  approve: anyFunction,
  steer: anyFunction,
  waiting: anyObject,
  journal: withMethods(["step"], "a journal, such as `await fileJournal(path)` returns"),
  runId: anyText,
  signal: withMethods(["addEventListener", "removeEventListener"], "an `AbortSignal`"),
  idleMs: positiveNumber,
  firstEventMs: positiveNumber,
  onEvent: anyFunction,
};

/**
 * Checks the options and fills in the defaults. Throws a TypeError or a RangeError for options that
 * cannot work.
 */
export function parseOptions(options: RunOptions): RunConfig {
  assertOptions(options, optionKinds);
  assertAdapter(options);
  const { prompt, waiting, approve, price } = options;
  const { specs, tools, nativeTools } = parseTools(options);
  const messages = parseConversation(options.messages ?? [], prompt);
  return {
    adapter: options.adapter,
    fallback: options.fallback,
    messages,
    request: sharedRequest(options, specs),
    tools,
    nativeTools,
    concurrency: options.concurrency ?? 8,
    maxResultChars: options.maxResultChars ?? 262_144,
    approve,
    steer: options.steer,
    ...resolveJournal(options),
    resumed: waiting && parseWaiting(waiting, { messages, prompt, approve }),
    limits: parseLimits(options.limits, price),
    price,
    attempts: parseAttempts(options.attempts),
    compact: options.compact,
    idleMs: options.idleMs,
    firstEventMs: options.firstEventMs,
  };
}

function assertAdapter({ adapter, fallback }: RunOptions): void {
  if (adapter === undefined)
    throw new TypeError(`\`adapter\` is missing. It must be ${adapterKind.expected}.`);
  if (fallback === adapter)
    throw new TypeError("`fallback` must not be the same adapter as `adapter`.");
}

function sharedRequest(
  { system, toolChoice, maxTokens, effort, cache, waiting }: RunOptions,
  specs: NonNullable<TurnRequest["tools"]>,
): RunConfig["request"] {
  return {
    system,
    toolChoice: waiting === undefined ? toolChoice : unforced(toolChoice),
    maxTokens,
    effort,
    cache,
    tools: specs.length > 0 ? specs : undefined,
  };
}

/** A forced choice applies to the first turn only, and that is the turn that waited. */
const unforced = (choice: TurnRequest["toolChoice"]): TurnRequest["toolChoice"] =>
  choice === "none" ? "none" : "auto";
