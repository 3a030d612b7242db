import type { JournalOptions, RunOptions } from "@fullstop/loop";
import type { WorkflowOptions } from "@restatedev/restate-sdk";

/** The second argument of `agent`. */
export interface AgentContext {
  /** The key of the workflow. The journal has the run under this id. */
  readonly runId: string;
  /** Aborts if the run is cancelled, or goes on in another process. */
  readonly signal: AbortSignal;
}

/** The options of `agentWorkflow`. */
export interface AgentWorkflowOptions<Name extends string, Input, Output> {
  /** The name of the workflow in Restate. It is a part of its addresses. */
  readonly name: Name;
  /** Where the steps of the runs are: `restateJournal(…)`, or the journal of a database. */
  readonly journal: Omit<JournalOptions, "runId">;
  /**
   * The options of `run` for an input of the workflow. Called before the run starts and each time that
   * it continues, so the messages must depend on the input alone. If its `signal` aborts when the
   * process stops, another process continues the run.
   */
  readonly agent: (
    input: Input,
    context: AgentContext,
  ) => AgentRunOptions<Output> | Promise<AgentRunOptions<Output>>;
  /** Restate's own options, such as `workflowRetention` and `retryPolicy`. */
  readonly options?: WorkflowOptions | undefined;
}

/** The options of `run` without those that `agentWorkflow` sets. */
export type AgentRunOptions<Output = unknown> = Omit<RunOptions<Output>, "journal" | "waiting">;
