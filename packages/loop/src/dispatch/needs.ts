import type { ToolCall } from "@fullstop/core";
import { assertSettlement } from "../config/parse-waiting.ts";
import type { Answers } from "../config/run-config.ts";
import type { EventBody } from "../contract/event.ts";
import type { Decision, ReviewedCall, Settlement } from "../contract/ports.ts";
import { runsElsewhere, type ToolOutput } from "../contract/tool.ts";
import { attemptKey, type StepName, stepAt } from "../journal/keys.ts";
import { unrecorded } from "../journal/loop-lease.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { jsonCopy } from "../util/values.ts";
import { decisionEvent, findDecision, isStale, type StoredRuling } from "./decision.ts";
import { approvalDenied, approvalGiven } from "./native-tools.ts";
import {
  type CallOutcome,
  neverStarted,
  notRun,
  stillWaiting,
  tooLargeOutcome,
  truncate,
  unknownOutcome,
} from "./output.ts";
import {
  type CallPlan,
  type DispatchContext,
  type Question,
  type RunPlan,
  reply,
  reviewedCall,
  type WaitPlan,
} from "./plan.ts";
import { outcomeOfOutput } from "./salvage-notice.ts";

interface Need<Given, Stored> {
  /** No call of the turn runs before the answer. If not, the other calls run in the meantime. */
  readonly blocksTurn: boolean;
  readonly given: keyof Answers;
  /** The answer that `waiting` has, or that of who is asked. Undefined: it comes later. */
  readonly find: (
    given: Given | undefined,
    question: Question,
    context: DispatchContext,
  ) => Promise<Stored | undefined>;
  readonly step: StepName;
  /** Whether one answer counts for all attempts of the call. */
  readonly per: "call" | "attempt";
  /** Whether a recorded answer is about something else. Default: no. */
  readonly isStale?: (stored: Stored, call: ReviewedCall) => boolean;
  /** Replaces an answer that is larger than the journal takes. */
  readonly tooLarge?: (outcome: CallOutcome) => Stored;
  readonly event?: (call: ReviewedCall, stored: Stored | undefined) => EventBody | undefined;
  readonly next: (stored: Stored, question: Question, replayed: boolean) => CallPlan;
  /** What the model gets if the run is aborted while the call waits. */
  readonly ifAborted: (call: ToolCall, signal: AbortSignal) => CallOutcome;
}

type StoredSettlement =
  | { readonly settled: "did-not-happen" }
  | { readonly settled: "result" | "unknown"; readonly outcome: CallOutcome };
/** Its JSON is recorded if the tool did not start. */
export const nothingHappened: StoredSettlement = { settled: "did-not-happen" };

interface Needs {
  readonly decision: Need<Decision, StoredRuling>;
  readonly result: Need<ToolOutput, CallOutcome>;
  readonly settlement: Need<Settlement, StoredSettlement>;
  readonly input: Need<unknown, { readonly input: unknown }>;
}

const attemptOf = ({ key, attempt }: RunPlan): string => attemptKey(key, attempt);

const needs: Needs = {
  /** May the call run? `approve` is asked. */
  decision: {
    blocksTurn: true,
    given: "decisions",
    find: findDecision,
    step: "approval",
    per: "call",
    isStale,
    event: decisionEvent,
    next: afterDecision,
    ifAborted: neverStarted,
  },
  /** The tool has no `execute`. */
  result: {
    blocksTurn: true,
    given: "results",
    find: async (output, { plan: { call } }, context) =>
      output === undefined ? undefined : outcomeOf(call, output, context),
    step: "attempt",
    per: "attempt",
    tooLarge: (outcome) => outcome,
    next: (outcome, { plan }, replayed) => ({ ...plan, do: "reply", outcome, replayed }),
    ifAborted: neverStarted,
  },
  /** The call had started, and its result is not known. `journal.settle` is asked. */
  settlement: {
    blocksTurn: false,
    given: "settlements",
    find: findSettlement,
    step: "settlement",
    per: "attempt",
    tooLarge: (outcome) => ({ settled: "result", outcome }),
    event: (call, stored) => ({ type: "settlement", call, settlement: stored?.settled ?? "later" }),
    next: afterSettlement,
    ifAborted: unknownOutcome,
  },
  /** The tool asks a person. */
  input: {
    blocksTurn: false,
    given: "inputs",
    find: async (input) => (input === undefined ? undefined : { input }),
    step: "input",
    per: "attempt",
    event: (call, stored) => ({ type: "input", call, input: stored ? "given" : "later" }),
    next: ({ input }, { plan, outcome }) => ({
      ...plan,
      attempt: plan.attempt + 1,
      given: { input, state: outcome?.asks?.state },
    }),
    ifAborted: stillWaiting,
  },
};

/** The journal or `waiting` has the answer, or somebody is asked. Otherwise the call waits. */
export const ask = (
  name: ReviewedCall["needs"],
  plan: RunPlan,
  context: DispatchContext,
  outcome?: CallOutcome,
): Promise<CallPlan> => {
  const question = { plan, call: reviewedCall(name, plan, context, outcome), outcome };
  return answer(needs[name] as Need<unknown, unknown>, question, context);
};

async function answer<Given, Stored>(
  need: Need<Given, Stored>,
  question: Question,
  context: DispatchContext,
): Promise<CallPlan> {
  const { signal, lease, emit } = context;
  const { plan, call } = question;
  const find = async (): Promise<Stored | undefined> => {
    if (signal.aborted) return undefined;
    const given = context.config.answers[need.given].get(call.id) as Given | undefined;
    const found = await unlessAborted(need.find(given, question, context), signal);
    return found === aborted ? undefined : found;
  };
  const { tooLarge } = need;
  const step = stepAt(need.step, need.per === "call" ? plan.key : attemptOf(plan));
  let { value, replayed } = await lease.step(step, {
    run: async () => (await find()) ?? unrecorded(undefined),
    tooLarge: tooLarge && (() => tooLarge(tooLargeOutcome(plan.call, lease))),
  });
  if (replayed && value !== undefined && need.isStale?.(value, call)) {
    value = await find();
    replayed = false;
  }
  const event = need.event?.(jsonCopy(call), value);
  if (event !== undefined && !signal.aborted) emit({ ...event, ...(replayed && { replayed }) });
  return value === undefined ? wait(question) : need.next(value, question, replayed);
}

const wait = ({ plan, call }: Question): WaitPlan => ({
  ...plan,
  do: "wait",
  // The program stores what it waits for.
  waitsFor: [jsonCopy(call)],
  ifAborted: needs[call.needs].ifAborted,
});

export const blocksTurn = (plan: CallPlan): boolean =>
  plan.do === "wait" && plan.waitsFor.some((call) => needs[call.needs].blocksTurn);

/** The call runs, or waits for its result. A provider gets the decision as the result. */
function afterDecision({ ruling }: StoredRuling, question: Question): CallPlan {
  const { plan } = question;
  const { tool, call } = plan;
  if (typeof ruling === "object")
    return reply(plan, tool ? notRun(call, ruling.denied) : approvalDenied(ruling.reason ?? ""));
  if (tool === undefined) return reply(plan, approvalGiven);
  return runsElsewhere(tool) ? wait(question) : plan;
}

/** Without a policy the model is asked to check. */
async function findSettlement(
  given: Settlement | undefined,
  { plan, call: reviewed, outcome }: Question,
  context: DispatchContext,
): Promise<StoredSettlement | undefined> {
  const { call, tool, key: idempotencyKey } = plan;
  const { config, signal } = context;
  const { settle = (): Settlement => "unknown" } = config;
  const settlement = given ?? (await settle(reviewed, { signal, tool, idempotencyKey }));
  assertSettlement(settlement, "`journal.settle` returned");
  if (settlement === "later") return undefined;
  if (settlement === "did-not-happen") return nothingHappened;
  return settlement === "unknown"
    ? { settled: settlement, outcome: outcome ?? unknownOutcome(call) }
    : { settled: "result", outcome: outcomeOf(call, settlement.result, context) };
}

function afterSettlement(
  stored: StoredSettlement,
  { plan }: Question,
  replayed: boolean,
): CallPlan {
  return stored.settled === "did-not-happen"
    ? { ...plan, attempt: plan.attempt + 1 }
    : { ...plan, do: "reply", outcome: stored.outcome, replayed };
}

const outcomeOf = (
  call: ToolCall,
  output: unknown,
  { notice, config }: DispatchContext,
): CallOutcome => truncate(outcomeOfOutput(call, output, notice), config.limits.resultChars);
