import type { ToolCall } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { EventBody, Inside } from "../contract/event.ts";
import type { ReviewedCall } from "../contract/ports.ts";
import { type GivenInput, runsElsewhere, type Tool } from "../contract/tool.ts";
import { attemptKey } from "../journal/keys.ts";
import type { LoopLease } from "../journal/loop-lease.ts";
import type { NestedRuns } from "../turn/state.ts";
import type { CallOutcome } from "./output.ts";
import type { SalvageNotice } from "./salvage-notice.ts";

interface PlannedCall {
  readonly call: ToolCall;
  /** `<turn>/<position>` */
  readonly key: string;
  /** Undefined: the call is not one that this program can run. */
  readonly tool: Tool | undefined;
  /** Validated if there is a `tool`. */
  readonly input: unknown;
}

export interface RunPlan extends PlannedCall {
  readonly do: "run";
  /** From 1. Each has a journal key of its own. */
  readonly attempt: number;
  /** What a person gave the tool in the attempt before. */
  readonly given?: GivenInput | undefined;
  /** The model gets this instead, unless the journal holds a result of the call. */
  readonly refusal?: CallOutcome | undefined;
}
/** The model gets this result: the call has ended, or it never runs. */
export interface ReplyPlan extends PlannedCall {
  readonly do: "reply";
  readonly outcome: CallOutcome;
  /** The key of the attempt that records it. Undefined: it is recorded, or must not be. */
  readonly recordAs?: string | undefined;
  readonly replayed: boolean;
}
/** The call waits for a person. `needs.ts` says which calls of the turn run in the meantime. */
export interface WaitPlan extends PlannedCall {
  readonly do: "wait";
  /** The call itself, or calls of its sub-agent. */
  readonly waitsFor: readonly ReviewedCall[];
  /** What the model gets if the run is aborted instead. */
  readonly ifAborted: (call: ToolCall, signal: AbortSignal) => CallOutcome;
}
/** What happens to a call next. Its journal key, its tool and its input stay the same. */
export type CallPlan = RunPlan | ReplyPlan | WaitPlan;

/** Something that a person or a policy must answer before a call goes on. */
export interface Question {
  readonly plan: RunPlan;
  /** What is shown. The `id` names the answer. */
  readonly call: ReviewedCall;
  /** What the attempt came to, if it asks a person or is in doubt. */
  readonly outcome: CallOutcome | undefined;
}

/** A result that is not recorded yet. */
export const reply = (plan: RunPlan, outcome: CallOutcome): ReplyPlan => ({
  ...plan,
  do: "reply",
  outcome,
  recordAs: attemptKey(plan.key, plan.attempt),
  replayed: false,
});

export interface DispatchContext {
  readonly config: RunConfig;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => Inside;
  readonly lease: LoopLease;
  readonly turnKey: string;
  /** Ids are unique in a conversation only: not in a sub-agent, or after a compaction. */
  readonly namesCallsByKey: boolean;
  /** Calls that must not run, each with the reason for the model. */
  readonly declined: ReadonlyMap<ToolCall, string>;
  readonly nested: NestedRuns;
  readonly notice: SalvageNotice | undefined;
}

export function reviewedCall(
  name: ReviewedCall["needs"],
  plan: RunPlan,
  context: DispatchContext,
  outcome?: CallOutcome,
): ReviewedCall {
  const { call, key, tool, input, attempt } = plan;
  const id = answerId(plan, context);
  const isAboutCall = name === "decision" || name === "result";
  return Object.freeze({
    id: isAboutCall ? id : attemptKey(id, attempt),
    name: call.name,
    input: input as ReviewedCall["input"],
    ...(call.by && { by: call.by }),
    needs: name === "decision" && runsElsewhere(tool) ? "result" : name,
    idempotencyKey: key,
    ...(isAboutCall && tool?.revision !== undefined && { revision: tool.revision }),
    ...(outcome?.asks && { question: outcome.asks.question }),
  });
}

/** The id by which `waiting` names a call. */
export const answerId = (
  { call, key }: Pick<RunPlan, "call" | "key">,
  { namesCallsByKey }: Pick<DispatchContext, "namesCallsByKey">,
): string => (namesCallsByKey ? key : call.id);
