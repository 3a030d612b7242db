import type { ToolCall } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { EventBody } from "../contract/event.ts";
import type { ReviewedCall } from "../contract/ports.ts";
import type { GivenInput, Tool } from "../contract/tool.ts";
import type { LoopLease } from "../journal/loop-lease.ts";
import type { NestedRuns } from "../turn/state.ts";
import type { CallOutcome } from "./output.ts";
import type { SalvageNotice } from "./salvage-notice.ts";

/** What the calls of a turn need of their run. */
export interface DispatchContext {
  readonly config: RunConfig;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
  readonly lease: LoopLease;
  /** `<run>/<turn>` */
  readonly key: string;
  /**
   * Ids are unique in one conversation. In a sub-agent, or after a compaction, only the keys of the
   * calls are unique in the run.
   */
  readonly namesCallsByKey: boolean;
  /** Calls that must not run, each with the reason for the model. */
  readonly declined: ReadonlyMap<ToolCall, string>;
  readonly nested: NestedRuns;
  /** About the call that a tool completed, if there is one. */
  readonly notice: SalvageNotice | undefined;
  /** Undefined in a run without a journal. */
  readonly durable: DurableCalls | undefined;
}

/** A call, with its tool and its validated input if the call can still run. */
export interface CheckedCall {
  readonly call: ToolCall;
  readonly tool?: Tool;
  readonly input?: unknown;
}
/** What a settlement makes of a call in doubt. */
export type SettledCall =
  /** The call gets this result. */
  | { readonly outcome: CallOutcome; readonly recorded: "now" | "earlier" }
  /** It stays in doubt until a person settles it. */
  | { readonly waitsFor: ReviewedCall }
  | "did-not-happen";

/** The step that makes a call, and what a person gave the tool for it. */
export interface CallStep {
  readonly stepKey: string;
  readonly given?: GivenInput | undefined;
}
/** `hasEnded`: the step has its result. */
interface FoundStep extends CallStep {
  readonly hasEnded: boolean;
}

/** What the journal says about a call, after its doubts are settled. */
export type Standing =
  /** It is made as this step, or this step has its result. */
  FoundStep | Exclude<SettledCall, "did-not-happen">;

/** What only a run with a journal does about its calls. Other runs do not load it. */
export interface DurableCalls {
  standingOf(checked: CheckedCall, context: DispatchContext): Promise<Standing>;
  settleAttempt(
    checked: CheckedCall,
    stepKey: string,
    context: DispatchContext,
    unknown: CallOutcome,
  ): Promise<SettledCall>;
  askedInput(
    checked: CheckedCall,
    asks: NonNullable<CallOutcome["asks"]>,
    stepKey: string,
    context: DispatchContext,
  ): Promise<GivenInput | { readonly waitsFor: ReviewedCall }>;
  recordThatNothingHappened(attempt: CallStep, lease: LoopLease): Promise<void>;
  recordAsked(call: ReviewedCall, context: DispatchContext): Promise<void>;
  isAboutRevision(call: ReviewedCall, context: DispatchContext): Promise<boolean>;
}
