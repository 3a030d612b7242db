import type { Journal, RunEnd, RunLease } from "../contract/journal.ts";
import type { Outcome } from "../contract/outcome.ts";
import { endWritesAfterAbort } from "./end-writes.ts";
import { type LeasedRun, type LoopLease, unrecordedRun } from "./loop-lease.ts";
import { recordStep } from "./record-step.ts";
import { startOfRun } from "./start-of-run.ts";

/**
 * Runs `work` as the only writer of the run. If it rejects, the lease is given back too. Rejects
 * with the reason if the lease is lost. Only a run with a journal loads this file.
 */
export async function withLease(
  { journal, runId }: { readonly journal: Journal; readonly runId: string },
  signal: AbortSignal,
  work: (run: LeasedRun) => Promise<Outcome>,
): Promise<Outcome> {
  // A run that was aborted before it began has no effects.
  if (signal.aborted) return work(unrecordedRun(signal));
  let lease: LoopLease;
  try {
    lease = toLoopLease(await journal.open(runId, signal), signal);
  } catch (thrown) {
    if (signal.aborted) return work(unrecordedRun(signal));
    throw thrown;
  }
  const failed = new AbortController();
  const close = async (outcome: Outcome): Promise<void> => {
    lease.lost.throwIfAborted();
    await lease.close(endOf(outcome));
  };
  try {
    return await work({
      lease,
      signal: AbortSignal.any([signal, lease.lost, failed.signal]),
      close,
    });
  } catch (thrown) {
    const first = lease.lost.aborted ? lease.lost.reason : thrown;
    // Tools that still run end before another process may take the run.
    failed.abort(first);
    await lease.close().catch(() => undefined);
    throw first;
  }
}

function toLoopLease(recorded: RunLease, signal: AbortSignal): LoopLease {
  const lease = endWritesAfterAbort(recorded, signal);
  return Object.assign(lease, {
    step: (step, work) => recordStep(lease, step, work),
    keyPrefixOf: (run, messages) => startOfRun(lease, run, messages),
    endingWith: (other) => toLoopLease(lease, other),
  } satisfies Pick<LoopLease, "step" | "keyPrefixOf" | "endingWith">);
}

const endOf = (outcome: Outcome): RunEnd =>
  outcome.status === "waiting"
    ? { status: outcome.status, calls: outcome.calls }
    : { status: outcome.status };
