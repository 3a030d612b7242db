import type { RunConfig } from "../config/run-config.ts";
import type { Outcome } from "../outcome.ts";
import type { RunEnd, RunLease } from "./journal.ts";
import { noLease } from "./no-lease.ts";

/**
 * Runs `work` as the only writer of the run, and gives the lease back. Rejects if the lease is
 * lost. The signal for `work` aborts then, too.
 */
export async function withLease(
  { journal, runId }: Pick<RunConfig, "journal" | "runId">,
  signal: AbortSignal,
  work: (lease: RunLease, signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  // A run that was aborted before it began has no effects.
  if (journal === undefined || signal.aborted) return work(noLease, signal);
  const lease = await journal.open(runId, signal);
  let outcome: Outcome;
  try {
    outcome = await work(lease, AbortSignal.any([signal, lease.lost]));
    lease.lost.throwIfAborted();
  } catch (thrown) {
    // The first error counts.
    await lease.close().catch(() => undefined);
    throw lease.lost.aborted ? lease.lost.reason : thrown;
  }
  await lease.close(endOf(outcome));
  return outcome;
}

const endOf = (outcome: Outcome): RunEnd =>
  outcome.status === "waiting"
    ? { status: outcome.status, calls: outcome.calls }
    : { status: outcome.status };
