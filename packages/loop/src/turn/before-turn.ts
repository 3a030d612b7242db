import { appendMessage, type UserMessage } from "@fullstop/core";
import { describeInvalidMessages } from "@fullstop/core/adapter";
import { assertOptions, changeKinds, unforced } from "../config/option-kinds.ts";
import { assertNoOutputs } from "../config/output-schema.ts";
import { assertToolChoice, parseTools } from "../config/parse-tools.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { BeforeTurn, TurnChanges, UpcomingTurn } from "../contract/ports.ts";
import { stepAt } from "../journal/keys.ts";
import { unrecorded } from "../journal/loop-lease.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { isObject, withoutUndefined } from "../util/values.ts";
import { type State, turnKeyOf } from "./state.ts";
import { initialTruncation } from "./truncation-state.ts";

/** A paused turn is sent back as it was, with the changes of the turn that it continues. */
export async function prepareTurn(state: State, signal: AbortSignal): Promise<void> {
  const { runConfig, config, history, turnNumber } = state;
  if (turnNumber > 1 && history.at(-1)?.role === "assistant") {
    const { request } = config;
    state.config = {
      ...config,
      recovery: runConfig.recovery,
      request: { ...request, toolChoice: unforced(request.toolChoice) },
    };
    return;
  }
  const { beforeTurn } = runConfig;
  const prepared =
    beforeTurn === undefined || history.at(-1)?.role === "assistant"
      ? { changes: {}, config: configOfTurn(runConfig, {}, turnNumber) }
      : await askOnce(beforeTurn, state, signal);
  // The request notices the abort too, and ends the run.
  if (prepared === aborted) return;
  const { changes } = prepared;
  for (const message of changes.messages ?? []) appendMessage(history, message);
  applyConfig(state, prepared.config, changes);
}

/** What a run learned about one adapter does not hold for another one. */
function applyConfig(state: State, config: RunConfig, { adapter, maxTokens }: TurnChanges): void {
  state.truncation = state.runTruncation ?? state.truncation;
  state.runTruncation = undefined;
  state.config = config;
  if (!state.hasFallenBack) state.adapter = config.adapter;
  if (maxTokens === undefined && (adapter === undefined || state.hasFallenBack)) return;
  state.runTruncation = state.truncation;
  state.truncation = initialTruncation(config.request.maxTokens);
}

interface PreparedTurn {
  readonly changes: TurnChanges;
  readonly config: RunConfig;
}
/** As a journal stores it. */
interface StoredChanges {
  readonly messages: readonly UserMessage[];
  /** It changed more than the conversation. A journal cannot hold a tool or an adapter. */
  readonly changesRequest: boolean;
}

/** Asks a replayed turn again only if it changed more than the conversation. */
async function askOnce(
  beforeTurn: BeforeTurn,
  state: State,
  signal: AbortSignal,
): Promise<PreparedTurn | typeof aborted> {
  const { runConfig, history, turnNumber, lease } = state;
  const ask = async (replayed?: true): Promise<PreparedTurn | typeof aborted> => {
    const next: UpcomingTurn = {
      messages: [...history],
      turn: turnNumber,
      ...(replayed && { replayed }),
    };
    const returned = await unlessAborted((async () => beforeTurn(next))(), signal);
    if (returned === aborted) return aborted;
    const changes = parseTurnChanges(returned);
    return { changes, config: configOfTurn(runConfig, changes, turnNumber) };
  };
  let live: PreparedTurn | typeof aborted | undefined;
  const { value: stored } = await lease.step<StoredChanges, typeof aborted>(
    stepAt("before", turnKeyOf(state)),
    {
      run: async () => {
        live = await ask();
        return live === aborted ? unrecorded(aborted) : toStored(live.changes);
      },
    },
  );
  if (live !== undefined || stored === aborted) return live ?? aborted;
  const { messages } = stored;
  const again = stored.changesRequest
    ? await ask(true)
    : { changes: {}, config: configOfTurn(runConfig, {}, turnNumber) };
  return again === aborted ? aborted : { ...again, changes: { ...again.changes, messages } };
}

const toStored = (changes: TurnChanges): StoredChanges => ({
  messages: changes.messages ?? [],
  changesRequest: changesRequest(changes),
});

function parseTurnChanges(returned: unknown): TurnChanges {
  if (returned === undefined || returned === null) return {};
  if (!isObject(returned) || Array.isArray(returned))
    throw new TypeError(
      "`beforeTurn` must return an object of changes, such as `{ messages }`, or nothing.",
    );
  const changes: TurnChanges = returned;
  assertOptions(changes, changeKinds, "beforeTurn");
  const { messages = [] } = changes;
  const invalid = describeInvalidMessages(messages);
  if (invalid !== undefined)
    throw new TypeError(`\`beforeTurn\` must return \`messages\` of users: ${invalid}.`);
  if (messages.some(({ role }) => role !== "user"))
    throw new TypeError("`beforeTurn` must return `messages` of users only.");
  return changes;
}

const changesRequest = ({ messages: _messages, ...others }: TurnChanges): boolean =>
  Object.values(others).some((value) => value !== undefined);

/** Throws an error that names `beforeTurn` for tools that cannot be used. */
function configOfTurn(config: RunConfig, changes: TurnChanges, turn: number): RunConfig {
  const { request } = config;
  const base = turn === 1 ? request : { ...request, toolChoice: unforced(request.toolChoice) };
  if (!changesRequest(changes)) return base === request ? config : { ...config, request: base };
  const { messages: _messages, adapter = config.adapter, tools: _tools, ...settings } = changes;
  const changed = { ...base, ...withoutUndefined(settings) };
  const { specs, ...tools } = toolsOfTurn(config, changes, changed.toolChoice);
  return { ...config, ...tools, adapter, request: { ...changed, tools: specs } };
}

function toolsOfTurn(
  { tools, nativeTools, request, output }: RunConfig,
  changes: TurnChanges,
  choice: TurnChanges["toolChoice"],
) {
  try {
    if (changes.tools !== undefined) {
      if (output !== undefined) assertNoOutputs(changes.tools);
      const { specs, ...others } = parseTools(changes.tools, choice);
      return { specs: specs.length > 0 ? specs : undefined, ...others };
    }
    assertToolChoice(choice, request.tools ?? []);
    return { tools, nativeTools, specs: request.tools };
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new TypeError(
      `\`beforeTurn\` returned changes that cannot be used: ${cause.message.replace("request.toolChoice", "toolChoice")}`,
      {
        cause,
      },
    );
  }
}
