import { type Message, type TurnRequest, type UserMessage, validateHistory } from "@fullstop/core";
import { checkMessages, describeInvalidBlocks, frozenCopy } from "@fullstop/core/adapter";
import type { RunOptions } from "../contract/options.ts";
import { adapterKind, assertOptions, optionKinds, requestKinds, unforced } from "./option-kinds.ts";
import { parseOutput } from "./output-schema.ts";
import { resolveJournal } from "./parse-journal.ts";
import { parseLimits, parseRecovery } from "./parse-limits.ts";
import { parseTools } from "./parse-tools.ts";
import { parseWaiting } from "./parse-waiting.ts";
import type { RunConfig } from "./run-config.ts";

export function parseOptions(options: RunOptions): RunConfig {
  if (adapterKind.isValid(options))
    throw new TypeError("`run` takes options, not an adapter: `run({ adapter, prompt })`.");
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
    stopWhen: [options.stopWhen ?? []].flat(),
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
  const { toolChoice } = request;
  return {
    ...request,
    system,
    // The turn that waited was the first one.
    toolChoice: waiting?.turn === undefined ? toolChoice : unforced(toolChoice),
    tools: specs.length > 0 ? specs : undefined,
  };
}

/** Frozen copies: they cannot change during the run, so each is checked only once. */
export function parseConversation(
  messages: readonly Message[],
  prompt: UserMessage["content"] | undefined,
): readonly Message[] {
  checkMessages(messages, "messages");
  const flaw = Array.isArray(prompt) ? describeInvalidBlocks(prompt) : undefined;
  if (flaw !== undefined) throw new TypeError(`Invalid \`prompt\`: it contains ${flaw}.`);
  if (prompt?.length === 0) throw new TypeError("`prompt` is empty.");
  const all: readonly Message[] =
    prompt === undefined ? messages : [...messages, { role: "user", content: prompt }];
  if (all.length === 0) throw new TypeError("Nothing to answer: give a `prompt` or `messages`.");
  assertHistory(all);
  return all.map(frozenCopy);
}

function assertHistory(messages: readonly Message[]): void {
  const [flaw] = validateHistory(messages);
  if (flaw === undefined) return;
  const call = flaw.id === undefined ? "" : ` (call ${flaw.id})`;
  throw new TypeError(
    `Invalid \`messages\`: message ${flaw.at}${call}: ${flaw.rule}. \`repairHistory(messages)\` of @fullstop/core repairs them.`,
  );
}
