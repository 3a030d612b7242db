import type { Message, NativeTool, TurnRequest } from "@fullstop/core";
import type { ToolUseTurn } from "@fullstop/core/adapter";
import type { Journal } from "../contract/journal.ts";
import type { Limit, Limits } from "../contract/limits.ts";
import type { RecoveryOptions, RunOptions } from "../contract/options.ts";
import type { Decision, Fallback, Settle, Settlement, StopWhen } from "../contract/ports.ts";
import type { Tool, ToolOutput } from "../contract/tool.ts";
import type { OutputConfig } from "./output-schema.ts";

export interface ResolvedLimits
  extends Readonly<Record<Limit | "concurrency" | "resultChars", number>>,
    Pick<Limits, "price" | "firstEventMs" | "idleMs"> {}

export interface ResolvedRecovery extends Pick<RecoveryOptions, "compact"> {
  readonly fallback: readonly Fallback[];
  readonly requests: number;
  /** Undefined: each kind of note has its own limit. */
  readonly notes: number | undefined;
  readonly capRaises: number | undefined;
  readonly leakedCalls: boolean;
  readonly maxWaitMs: number;
}

/** What `waiting` has for calls, by the `id` of their `ReviewedCall`. */
export interface Answers {
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly results: ReadonlyMap<string, ToolOutput>;
  readonly inputs: ReadonlyMap<string, unknown>;
  readonly settlements: ReadonlyMap<string, Settlement>;
}
export const noAnswers: Answers = {
  decisions: new Map(),
  results: new Map(),
  settlements: new Map(),
  inputs: new Map(),
};

export interface RunConfig extends Pick<RunOptions, "adapter" | "approve" | "beforeTurn"> {
  readonly stopWhen: readonly StopWhen[];
  readonly output: OutputConfig | undefined;
  /** The messages and the prompt, as frozen copies. */
  readonly messages: readonly Message[];
  readonly request: Omit<TurnRequest, "messages">;
  /** The tools that this program runs, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools that a provider defines, without an `execute`. */
  readonly nativeTools: readonly NativeTool[];
  /** A turn that waited for decisions. The run begins with its calls. */
  readonly resumedTurn: ToolUseTurn | undefined;
  readonly answers: Answers;
  /** `waiting` has answers and no turn, so `journal` must hold the run. */
  readonly mustBeRecorded: boolean;
  /** Calls of a sub-agent are identified by their journal keys. */
  readonly isNested: boolean;
  readonly journal: Journal | undefined;
  readonly runId: string;
  readonly settle: Settle | undefined;
  readonly limits: ResolvedLimits;
  readonly recovery: ResolvedRecovery;
}
