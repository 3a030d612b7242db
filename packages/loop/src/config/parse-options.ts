import type { TurnRequest } from "@fullstop/core";
import type { RunOptions } from "../contract/options.ts";
import { isObject } from "../util/values.ts";
import {
  abortSignal,
  adapterKind,
  anyFunction,
  anyObject,
  anyText,
  assertOptions,
  listOf,
  type OptionKind,
  type OptionKinds,
} from "./option-kinds.ts";
import { parseOutput } from "./output-schema.ts";
import { resolveJournal } from "./parse-journal.ts";
import { parseLimits, parseRecovery } from "./parse-limits.ts";
import { parseConversation } from "./parse-messages.ts";
import { parseTools } from "./parse-tools.ts";
import { parseWaiting } from "./parse-waiting.ts";
import { requestKinds, unforced } from "./request-kinds.ts";
import type { RunConfig } from "./run-config.ts";

/** One observer, or a list of them. */
const oneOrMoreFunctions: OptionKind = {
  isValid: (value) => [value].flat().every(anyFunction.isValid),
  expected: "a function, or a list of functions",
};
const optionKinds: OptionKinds<Required<RunOptions>> = {
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
  stopWhen: anyFunction,
  journal: anyObject,
  waiting: anyObject,
  signal: abortSignal,
  onEvent: oneOrMoreFunctions,
};

/**
 * Checks the options and fills in the defaults. Throws a TypeError or a RangeError for options that
 * cannot work.
 */
export function parseOptions(options: RunOptions): RunConfig {
  assertOptions(options, optionKinds);
  if (options.adapter === undefined)
    throw new TypeError(`\`adapter\` is missing. It must be ${adapterKind.expected}.`);
  const { adapter, prompt, waiting, approve, request = {} } = options;
  assertOptions(request, requestKinds, "request");
  const { specs, tools, nativeTools } = parseTools(options.tools, request.toolChoice);
  const messages = parseConversation(options.messages ?? [], prompt);
  return {
    adapter,
    messages,
    request: sharedRequest(options, specs),
    tools,
    nativeTools,
    approve,
    output: parseOutput(options.output, options.tools),
    beforeTurn: options.beforeTurn,
    stopWhen: options.stopWhen,
    ...resolveJournal(options.journal),
    ...parseWaiting(waiting, { messages, prompt, approve, tools, journal: options.journal }),
    isNested: false,
    limits: parseLimits(options.limits),
    recovery: parseRecovery(options.recovery, adapter),
  };
}

function sharedRequest(
  { system, request = {}, waiting }: RunOptions,
  specs: NonNullable<TurnRequest["tools"]>,
): RunConfig["request"] {
  const { toolChoice, maxTokens, effort, cache } = request;
  return {
    system,
    // The turn that waited was the first one.
    toolChoice: waiting?.turn === undefined ? toolChoice : unforced(toolChoice),
    maxTokens,
    effort,
    cache,
    tools: specs.length > 0 ? specs : undefined,
  };
}
