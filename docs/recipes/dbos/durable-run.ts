// An agent as a workflow of DBOS. DBOS starts the run, and starts it again after a crash. What the run
// has done is in its journal, so the whole run is one step of the workflow. ./server.ts uses it.
import { setTimeout } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  type JournalOptions,
  type Outcome,
  type ReviewedCall,
  type RunOptions,
  run,
  type Waiting,
} from "@fullstop/loop";
import { isJournalError } from "@fullstop/loop/journal";

/** The options of a run, apart from those that the workflow sets. */
export type Agent = Omit<RunOptions, "journal" | "waiting" | "signal">;

/** What a run waits for. It is the event `question` of the workflow, which is null otherwise. */
export interface Question {
  /** The answers go to this topic. A later question has another topic. */
  readonly topic: string;
  readonly calls: readonly ReviewedCall[];
}
/** The message that answers a question, by the ids of its calls. */
export type Answers = Pick<Waiting, "decisions" | "results" | "settlements" | "inputs">;

/** The result of the workflow. The messages stay in the journal. */
export interface Ended {
  readonly status: Outcome["status"];
  readonly text: string;
  readonly summary: string;
  /** The answer of a run that is done, if it has an `output`. */
  readonly output?: unknown;
}

/** Registers a workflow for an agent. The id of the workflow is the id of the run in the journal. */
export function registerAgent<Input>(
  name: string,
  agent: (input: Input) => Agent,
  journal: Omit<JournalOptions, "runId">,
): (input: Input) => Promise<Ended> {
  const workflow = async (input: Input): Promise<Ended> => {
    let waiting: Answers | undefined;
    for (let round = 1; ; round++) {
      const wake = (): Promise<Ended & { readonly calls?: Question["calls"] }> =>
        wakeRun({ ...agent(input), waiting }, journal);
      const { calls, ...ended } = await DBOS.runStep(wake, { name: "run", ...retries });
      if (calls === undefined) return ended;
      const topic = `answers-${round}`;
      await DBOS.setEvent("question", { topic, calls } satisfies Question);
      // After this time the same question is asked again.
      waiting = (await DBOS.recv<Answers>(topic, { timeoutSeconds: 30 * 24 * 3600 })) ?? undefined;
      await DBOS.setEvent("question", null);
    }
  };
  // Each start of a process that finds the workflow unfinished counts as a recovery.
  return DBOS.registerWorkflow(workflow, { name, maxRecoveryAttempts: 10_000 });
}

/**
 * Another process may still run what this one is asked to run, and the database may be away: the
 * step is tried again until the journal lets it in. All other errors end the workflow.
 */
const retries = {
  retriesAllowed: true,
  maxAttempts: Number.MAX_SAFE_INTEGER,
  intervalSeconds: 2,
  backoffRate: 1,
  shouldRetry: (thrown: unknown): boolean => stopping.signal.aborted || isPassing(thrown),
};
const isPassing = (thrown: unknown): boolean =>
  isJournalError(thrown, "in-use", "lost", "unavailable");

const stopping = new AbortController();
const active = new Set<Promise<unknown>>();

async function wakeRun(
  { waiting, ...agent }: Agent & { readonly waiting: Answers | undefined },
  journal: Omit<JournalOptions, "runId">,
): Promise<Ended & { readonly calls?: Question["calls"] }> {
  const { workflowID: runId, stepStatus } = DBOS;
  if (runId === undefined || stepStatus === undefined) throw new Error("This is not a step.");
  const signal = AbortSignal.any([stepStatus.cancelSignal, stopping.signal]);
  const running = run({ ...agent, waiting, signal, journal: { ...journal, runId } }).outcome();
  active.add(running);
  const outcome = await running.finally(() => active.delete(running));
  // A step that throws here is not recorded: `DBOS.resumeWorkflow` and a restart continue the run.
  if (outcome.status === "aborted") signal.throwIfAborted();
  const { status, text, summary } = outcome;
  if (outcome.status === "waiting") return { status, text, summary, calls: outcome.calls };
  return { status, text, summary, ...(outcome.status === "done" && { output: outcome.output }) };
}

/**
 * For the end of a process: the runs get `graceMs` to end, then they are aborted. A tool that runs at
 * that moment is in doubt later, as after a crash, unless it is idempotent.
 */
export async function stopRuns(graceMs: number): Promise<void> {
  await Promise.race([Promise.allSettled(active), setTimeout(graceMs, undefined, { ref: false })]);
  stopping.abort();
  await Promise.allSettled(active);
}
