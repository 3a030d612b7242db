import type { RunConfig } from "../config/run-config.ts";
import type { Outcome } from "../outcome.ts";
import { endWritesAfterAbort } from "./end-writes.ts";
import type { RunEnd, RunLease } from "./journal.ts";
import { noLease } from "./no-lease.ts";

/** What a run works with while it is the only writer of its journal. */
export interface LeasedRun {
  readonly lease: RunLease;
  /** The signal of the caller. It also aborts if the lease is lost or the work fails. */
  readonly signal: AbortSignal;
  /** Gives the lease back. Rejects if it is lost, or if the end cannot be stored. */
  readonly close: (outcome: Outcome) => Promise<void>;
}

/**
 * Runs `work` as the only writer of the run. If it rejects, the lease is given back too. Rejects
 * with the reason if the lease is lost.
 */
export async function withLease(
  { journal, runId }: Pick<RunConfig, "journal" | "runId">,
  signal: AbortSignal,
  work: (run: LeasedRun) => Promise<Outcome>,
): Promise<Outcome> {
  const unrecorded = (): Promise<Outcome> =>
    work({ lease: noLease, signal, close: async () => {} });
  // A run that was aborted before it began has no effects.
  if (journal === undefined || signal.aborted) return unrecorded();
  let lease: RunLease;
  try {
    lease = endWritesAfterAbort(await journal.open(runId, signal), signal);
  } catch (thrown) {
    if (signal.aborted) return unrecorded();
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

const endOf = (outcome: Outcome): RunEnd =>
  outcome.status === "waiting"
    ? { status: outcome.status, calls: outcome.calls }
    : { status: outcome.status };
