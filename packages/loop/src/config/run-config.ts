import type { Message, NativeTool, ToolUseTurn, TurnRequest } from "@fullstop/core";
import type { Limit, RunOptions } from "./options.ts";
import type { Decision, Journal } from "./ports.ts";
import type { Tool } from "./tool.ts";

export type ResolvedLimits = Readonly<Record<Limit, number>>;

export interface ResolvedAttempts {
  readonly requests: number;
  /** Undefined: each kind of note has its own limit. */
  readonly notes: number | undefined;
  readonly maxWaitMs: number;
}

/** A turn that waited for decisions, after its checks. */
export interface ResumedTurn {
  readonly turn: ToolUseTurn;
  readonly decisions: ReadonlyMap<string, Decision>;
}

/** The options of a run after their checks, with all defaults. */
export interface RunConfig
  extends Pick<
    RunOptions,
    "adapter" | "fallback" | "approve" | "steer" | "compact" | "price" | "idleMs" | "firstEventMs"
  > {
  /** The messages and the prompt, as frozen copies. */
  readonly messages: readonly Message[];
  /** What is the same in every request. */
  readonly request: Omit<TurnRequest, "messages">;
  /** The tools that this program runs, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools that a provider defines, without an `execute`. */
  readonly nativeTools: readonly NativeTool[];
  readonly concurrency: number;
  readonly maxResultChars: number;
  readonly resumed: ResumedTurn | undefined;
  readonly journal: Journal;
  readonly runId: string;
  readonly limits: ResolvedLimits;
  readonly attempts: ResolvedAttempts;
}
