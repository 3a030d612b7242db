// An agent as an activity of Temporal: it runs until the run ends or asks a person. What the run has done
// is in its journal, so another attempt continues where the last one stopped. ./workflow.ts starts it.
import {
  type JournalOptions,
  type Outcome,
  type ReviewedCall,
  type Run,
  type RunOptions,
  run,
  type Waiting,
} from "@fullstop/loop";
import { isJournalError, type JournalErrorKind } from "@fullstop/loop/journal";
import { ApplicationFailure, Context } from "@temporalio/activity";

/** The options of a run, apart from those that the activity sets. */
export type Agent = Omit<RunOptions, "journal" | "waiting" | "signal">;

/** What people answer, by the ids of the calls. */
export type Answers = Pick<Waiting, "decisions" | "results" | "settlements" | "inputs">;

/** The run waits for answers about these calls. */
export interface Waits {
  readonly status: "waiting";
  readonly calls: readonly ReviewedCall[];
}
/** How the run ended. The messages stay in the journal. */
export interface Ended {
  readonly status: Exclude<Outcome["status"], "waiting" | "aborted">;
  readonly text: string;
  readonly summary: string;
  /** The answer of a run that is done, if it has an `output`. */
  readonly output?: unknown;
}
export type RunAgent<Input> = (input: Input, answers?: Answers) => Promise<Waits | Ended>;

/** Makes the activity of an agent. The id of the workflow is the id of the run in the journal. */
export const agentActivity =
  <Input>(
    agent: (input: Input) => Agent,
    journal: Omit<JournalOptions, "runId">,
  ): RunAgent<Input> =>
  async (input, waiting) => {
    const context = Context.current();
    const { info, cancellationSignal: signal } = context;
    const runId = info.workflowExecution?.workflowId ?? info.activityId;
    // A cancellation comes with the answer to a heartbeat. The SDK sends fewer than these.
    const heartbeats = setInterval(() => context.heartbeat(), 1000);
    try {
      const options = { ...agent(input), waiting, signal, journal: { ...journal, runId } };
      return toResult(await start(options).outcome(), signal);
    } catch (thrown) {
      throw isFinal(thrown) ? failure(thrown) : thrown;
    } finally {
      clearInterval(heartbeats);
    }
  };

/** Each attempt refuses the same options and answers. */
function start(options: RunOptions): Run {
  try {
    return run(options);
  } catch (refusal) {
    throw failure(refusal as Error);
  }
}

/** The workflow fails with this sentence. Started again with its id, it continues from the journal. */
const failure = ({ message, name }: Error): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, name);

function toResult(outcome: Outcome, signal: AbortSignal): Waits | Ended {
  const { status, text, summary } = outcome;
  if (status === "waiting") return { status, calls: outcome.calls };
  // Cancelled, or the worker stops: Temporal knows which, and starts another attempt for the second.
  if (status === "aborted") throw signal.reason;
  return { status, text, summary, ...(status === "done" && { output: outcome.output }) };
}

/** Whether a person has to look at the journal before another attempt can succeed. */
const finalKinds: Readonly<Record<JournalErrorKind, boolean>> = {
  "in-use": false,
  lost: false,
  unavailable: false,
  deleted: true,
  "too-large": true,
  damaged: true,
};
const isFinal = (thrown: unknown): thrown is Error =>
  isJournalError(thrown) && finalKinds[thrown.kind];
