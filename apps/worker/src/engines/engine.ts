import type { RunEvent, Waiting } from "@fullstop/loop";
import type { Journal, RunStatus } from "@fullstop/loop/journal";
import type { Agent } from "../task.ts";

/** What people decided about the calls of a run that waits, by the `id` of the call. */
export type Answers = Pick<Waiting, "decisions" | "settlements">;

/** What a worker does. */
export interface WorkOptions {
  readonly journal: Journal;
  /** Resolves when this process has no run, or after `longestMs`. */
  readonly untilIdle: (longestMs: number) => Promise<void>;
  readonly createAgent: (runId: string) => Agent;
  /** Runs at the same time in this process. */
  readonly concurrency: number;
  /** Aborts when the process must end. */
  readonly signal: AbortSignal;
  readonly report: (news: WorkNews) => void;
}

/** What a worker reports. */
export type WorkNews =
  /** It takes runs from now on. */
  | { readonly type: "ready" }
  | { readonly type: "taken"; readonly runId: string }
  | { readonly type: "event"; readonly runId: string; readonly event: RunEvent }
  /** The run has this status now. */
  | { readonly type: "end"; readonly runId: string; readonly status: RunStatus }
  /** This process ends, or cannot write the run. The run goes back into the queue. */
  | { readonly type: "stopped"; readonly runId: string; readonly reason: string }
  /** The run cannot continue until a person changed something. */
  | { readonly type: "failed"; readonly runId: string; readonly reason: string };

/** The queue of the runs. The journal has their steps. */
export interface Engine {
  /** Puts a run into the queue. If it exists, it continues where its journal ends. */
  start(runId: string): Promise<void>;
  /** Puts a run that waits into the queue again, with answers. */
  answer(runId: string, answers: Answers): Promise<void>;
  /** The runs that no worker has taken yet. */
  listQueued(): Promise<readonly string[]>;
  /** Takes runs from the queue. Resolves after `signal` aborted, when all runs were given back. */
  work(options: WorkOptions): Promise<void>;
  close(): Promise<void>;
}

/** Longest wait of a worker that ends for its runs, in milliseconds. */
export const longestStopMs = 20_000;
