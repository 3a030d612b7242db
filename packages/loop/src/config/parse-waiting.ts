import { appendMessage, type Message, restoreTurn, type ToolCall } from "@fullstop/core";
import type { ToolUseTurn } from "@fullstop/core/adapter";
import type { RunOptions, Waiting } from "../contract/options.ts";
import type { Decision, Settlement } from "../contract/ports.ts";
import { runsElsewhere, type Tool } from "../contract/tool.ts";
import { isObject, withoutUndefined } from "../util/values.ts";
import { assertOptions, waitingKinds } from "./option-kinds.ts";
import { continuesInJournal } from "./parse-journal.ts";
import { type Answers, noAnswers, type RunConfig } from "./run-config.ts";

interface ResumeContext extends Pick<RunOptions, "prompt" | "approve" | "journal"> {
  readonly messages: readonly Message[];
  readonly tools: RunConfig["tools"];
}

/** Throws if the turn does not continue these messages, or if a call would stay unanswered. */
export function parseWaiting(
  waiting: Waiting | undefined,
  context: ResumeContext,
): Pick<RunConfig, "answers" | "resumedTurn" | "mustBeRecorded"> {
  if (waiting === undefined)
    return { answers: noAnswers, resumedTurn: undefined, mustBeRecorded: false };
  assertOptions(waiting, waitingKinds, "waiting");
  const answers: Answers = {
    decisions: definedEntries(waiting.decisions),
    results: definedEntries(waiting.results),
    settlements: definedEntries(waiting.settlements),
    inputs: definedEntries(waiting.inputs),
  };
  assertSettlements(answers, context);
  const { turn } = waiting;
  if (turn !== undefined)
    return { answers, resumedTurn: parseTurn(turn, answers, context), mustBeRecorded: false };
  if (context.journal === undefined)
    throw new TypeError(
      "`waiting.turn` is missing. It is `outcome.turn` of the run that waited. Leave it out only if `journal` has that run.",
    );
  const mustBeRecorded = Object.values(answers).some(({ size }) => size > 0);
  return { answers, resumedTurn: undefined, mustBeRecorded };
}

function assertSettlements(
  { settlements }: Answers,
  { journal }: Pick<ResumeContext, "journal">,
): void {
  if (settlements.size > 0 && journal === undefined)
    throw new TypeError(
      "`waiting.settlements` needs `journal`: without one no call is in doubt. Give the journal of the run that waited, with the same `runId`.",
    );
  for (const [id, settlement] of settlements)
    assertSettlement(settlement, `\`waiting.settlements\` has for call "${id}"`);
}

function parseTurn(stored: unknown, answers: Answers, context: ResumeContext): ToolUseTurn {
  if (context.prompt !== undefined)
    throw new TypeError(
      "`prompt` cannot be combined with `waiting.turn`, because the results of the calls come first. Give the prompt to the next run, or use `beforeTurn`.",
    );
  const isContinued = continuesInJournal(stored, context.journal);
  const turn = restoreToolUseTurn(stored);
  if (context.journal === undefined) assertIds(answers, turn);
  if (!isContinued) assertAnswered(turn, answers, context);
  try {
    appendMessage([...context.messages], turn.message);
  } catch (cause) {
    throw new TypeError(
      "`waiting.turn` does not continue `messages`. Take both from the same outcome.",
      { cause },
    );
  }
  return turn;
}

const definedEntries = <T>(given: Readonly<Record<string, T>> = {}): ReadonlyMap<string, T> =>
  new Map(Object.entries(withoutUndefined(given)) as [string, T][]);

/** With a journal, the answers may also be for sub-agents and for later turns. */
function assertIds(answers: Answers, { calls }: ToolUseTurn): void {
  const known = new Set(calls.map(({ id }) => id));
  for (const [name, given] of Object.entries(answers))
    for (const id of (given as Answers["inputs"]).keys())
      if (!known.has(id))
        throw new TypeError(
          `\`waiting.${name}\` names "${id}", which is not the id of a call of \`waiting.turn\`.`,
        );
}

function assertAnswered(
  { calls }: ToolUseTurn,
  answers: Answers,
  { tools, approve, journal }: ResumeContext,
): void {
  const mayStayUndecided =
    approve !== undefined || calls.some((call) => waitsByItself(call, tools));
  for (const call of calls) {
    const tool = tools.get(call.name);
    if (!runsElsewhere(tool)) assertDecision(call, tool, answers, mayStayUndecided);
    else if (journal === undefined) assertResult(call, tool, answers);
  }
}

function assertDecision(
  { id, name }: ToolCall,
  tool: Tool | undefined,
  { decisions, results }: Answers,
  mayStayUndecided: boolean,
): void {
  if (results.has(id) && tool !== undefined) throw new TypeError(unexpectedResult(id, name));
  if (!decisions.has(id) && !mayStayUndecided)
    throw new TypeError(
      `\`waiting.decisions\` has no decision about call "${id}". Add one, or give \`approve\`.`,
    );
}

export const unexpectedResult = (id: string, name: string): string =>
  `\`waiting.results\` has a result of call "${id}", but "${name}" has an \`execute\`. Decide about it in \`waiting.decisions\` instead.`;

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
function assertResult(call: ToolCall, tool: Tool, { results, decisions }: Answers): void {
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

const words: ReadonlySet<unknown> = new Set(["did-not-happen", "unknown", "later"]);

/** `what` begins the error: "`journal.settle` returned". */
export function assertSettlement(value: unknown, what: string): asserts value is Settlement {
  if (words.has(value) || (isObject(value) && "result" in value)) return;
  throw new TypeError(
    `${what} a value that is not a settlement. It must be \`{ result }\`, "did-not-happen", "unknown" or "later".`,
  );
}
