import {
  appendMessage,
  type Message,
  restoreTurn,
  type ToolCall,
  type ToolUseTurn,
} from "@fullstop/core";
import { isObject } from "../util/values.ts";
import { anyObject, anyValue, assertOptions, type OptionKinds } from "./option-kinds.ts";
import type { RunOptions, Waiting } from "./options.ts";
import type { Decision } from "./ports.ts";
import type { ResumedTurn, RunConfig } from "./run-config.ts";
import { runsElsewhere, type Tool } from "./tool.ts";

interface ResumeContext extends Pick<RunOptions, "prompt" | "approve" | "journal"> {
  readonly messages: readonly Message[];
  readonly tools: RunConfig["tools"];
}
const waitingKinds: OptionKinds<Waiting> = {
  turn: anyValue,
  decisions: anyObject,
  results: anyObject,
};

/** Throws if the turn does not continue these messages, or if a call would stay unanswered. */
export function parseWaiting(waiting: Waiting, context: ResumeContext): ResumedTurn {
  assertOptions(waiting, waitingKinds, "waiting");
  if (context.prompt !== undefined)
    throw new TypeError(
      "`prompt` cannot be combined with `waiting`, because the results of the calls come first. Give the prompt to the next run, or use `beforeTurn`.",
    );
  const resumed: ResumedTurn = {
    turn: restoreToolUseTurn(waiting.turn),
    key: journalKeyOf(waiting.turn, context),
    decisions: definedEntries(waiting.decisions),
    results: definedEntries(waiting.results),
  };
  assertIds("decisions", resumed.decisions, resumed);
  assertIds("results", resumed.results, resumed);
  assertAnswered(resumed, context);
  try {
    appendMessage([...context.messages], resumed.turn.message);
  } catch (cause) {
    throw new TypeError(
      "`waiting.turn` does not continue `messages`. Take both from the same outcome.",
      { cause },
    );
  }
  return resumed;
}

const definedEntries = <T>(given: Readonly<Record<string, T>> = {}): ReadonlyMap<string, T> =>
  new Map(Object.entries(given).filter(([, value]) => value !== undefined));

function assertIds(
  name: "decisions" | "results",
  given: ReadonlyMap<string, unknown>,
  { turn, key }: ResumedTurn,
): void {
  const isKnown = (id: string): boolean =>
    key === undefined ? turn.calls.some((call) => call.id === id) : id.startsWith(`${key}/`);
  const unknown = [...given.keys()].find((id) => !isKnown(id));
  if (unknown !== undefined)
    throw new TypeError(
      `\`waiting.${name}\` names "${unknown}", which is not the id of a call of \`waiting.turn\`.`,
    );
}

/** `outcome.turn` has the key if sub-agents wait: the steps of the turn are in the journal. */
function journalKeyOf(stored: unknown, { journal }: ResumeContext): string | undefined {
  const key = isObject(stored) ? stored["journalKey"] : undefined;
  if (typeof key !== "string") return undefined;
  if (journal === undefined)
    throw new TypeError(
      "Sub-agents of `waiting.turn` wait, and other calls of the turn have run. Give `journal` with the `store` of the run that waited: it holds their steps.",
    );
  return key;
}

/** If sub-agents waited, their own `approve` may decide about calls that are missing here. */
function assertAnswered(resumed: ResumedTurn, { tools, approve, journal }: ResumeContext): void {
  if (resumed.key !== undefined) return;
  const { calls } = resumed.turn;
  const mayStayUndecided =
    approve !== undefined || calls.some((call) => waitsByItself(call, tools));
  for (const call of calls) {
    const tool = tools.get(call.name);
    if (!runsElsewhere(tool)) assertDecision(call, tool, resumed, mayStayUndecided);
    else if (journal === undefined) assertResult(call, tool, resumed);
  }
}

function assertDecision(
  { id, name }: ToolCall,
  tool: Tool | undefined,
  { decisions, results }: ResumedTurn,
  mayStayUndecided: boolean,
): void {
  if (results.has(id) && tool !== undefined)
    throw new TypeError(
      `\`waiting.results\` has a result of call "${id}", but "${name}" has an \`execute\`. Decide about it in \`waiting.decisions\` instead.`,
    );
  if (!decisions.has(id) && !mayStayUndecided)
    throw new TypeError(
      `\`waiting.decisions\` has no decision about call "${id}". Add one, or give \`approve\`.`,
    );
}

/**
 * A run without `approve` waits because of such a call, and its other calls need no decision. If
 * there is none, `approve` made the run wait, and it may not be left out by mistake.
 */
function waitsByItself({ name }: ToolCall, tools: ResumeContext["tools"]): boolean {
  const tool = tools.get(name);
  const { needsApproval = false } = tool ?? {};
  return runsElsewhere(tool) || needsApproval !== false;
}

/** A journal may hold the result, so this holds for a run without one. */
function assertResult(call: ToolCall, tool: Tool, { results, decisions }: ResumedTurn): void {
  if (results.has(call.id) || postponesOrDenies(decisions.get(call.id))) return;
  if (mayBeInvalid(call, tool)) return;
  throw new TypeError(
    `\`waiting.results\` has no result of call "${call.id}" (${call.name}), whose tool has no \`execute\`. Add one, or deny the call in \`waiting.decisions\`.`,
  );
}

const postponesOrDenies = (decision: Decision | undefined): boolean =>
  decision === "later" || decision === false || (isObject(decision) && "deny" in decision);

/**
 * An invalid input gets an error result, and needs no other one. A schema that answers later is
 * asked again during the run: without a result the run then waits once more.
 */
function mayBeInvalid({ input }: ToolCall, { inputSchema }: Tool): boolean {
  try {
    const verdict: unknown = inputSchema["~standard"].validate(input);
    if (!(verdict instanceof Promise))
      return !isObject(verdict) || Array.isArray(verdict["issues"]) || !("value" in verdict);
    verdict.catch(() => undefined);
    return true;
  } catch {
    return true;
  }
}

function restoreToolUseTurn(stored: unknown): ToolUseTurn {
  const turn = restoreTurn(stored);
  if (turn.stopReason !== "tool-use")
    throw new TypeError(
      `\`waiting.turn\` has no calls to decide about: it ended with "${turn.stopReason}".`,
    );
  return turn;
}
