import { sleep } from "../util/abort.ts";
import type { Journal, RecordedStep, RunLease } from "./journal.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalTable, TableStep } from "./journal-table.ts";
import { type KeptLease, keepLease } from "./keep-lease.ts";
import { assertStepSize } from "./step-size.ts";

/** How long a run stays with a process that no longer answers. */
export interface LeaseOptions {
  /**
   * Milliseconds after which another process may take the run of a process that was killed or
   * cannot reach the database. Default: 30,000. A living process renews its lease, however long its
   * run takes.
   */
  readonly leaseMs?: number | undefined;
}

/** A journal over a table of a database. `JournalTable` says what the table must do. */
export function leasedJournal(
  table: JournalTable,
  { leaseMs = 30_000 }: LeaseOptions = {},
): Journal {
  return {
    open: async (runId, signal) => {
      const { fence, since } = await takeRun(table, { runId, leaseMs, signal });
      const kept = keepLease({
        runId,
        leaseMs,
        since,
        renew: () => table.renew(runId, fence, leaseMs),
      });
      try {
        const known = await persist(table, kept, () => loadSteps(table, runId));
        return createLease(table, { runId, fence, known, kept });
      } catch (thrown) {
        kept.stop();
        throw thrown;
      }
    },
  };
}

interface TakeOptions {
  readonly runId: string;
  readonly leaseMs: number;
  readonly signal: AbortSignal | undefined;
}
/** Looks again after this many milliseconds at most, to see whether the holder of the lease lives. */
const lookAgainMs = 1000;

/**
 * Waits until the lease ends of a process that does not renew it. Rejects if the process lives:
 * it renewed the lease while this one waited.
 */
async function takeRun(
  table: JournalTable,
  { runId, leaseMs, signal }: TakeOptions,
): Promise<{ readonly fence: number; readonly since: number }> {
  let seen: string | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const since = performance.now();
    const patience = {
      lost: signal ?? neverAborted,
      isHeld: () => performance.now() < since + leaseMs,
    };
    const claim = await persist(table, patience, () => table.claim(runId, leaseMs));
    if (claim.granted) return { fence: claim.fence, since };
    if (seen !== undefined && seen !== claim.renewal)
      throw new JournalError(
        "in-use",
        `Another process is running "${runId}". Try again when it has ended, or use another \`journal.runId\`.`,
      );
    seen = claim.renewal;
    await sleep(Math.min(claim.freeInMs + 1, lookAgainMs), signal ?? neverAborted);
  }
}
const neverAborted = new AbortController().signal;

async function loadSteps(table: JournalTable, runId: string): Promise<Map<string, RecordedStep>> {
  const known = new Map<string, RecordedStep>();
  for await (const page of table.load(runId))
    for (const { key, json } of page) {
      if (json !== undefined) known.set(key, { state: "ended", json });
      else if (!known.has(key)) known.set(key, { state: "begun" });
    }
  return known;
}

interface OpenedRun {
  readonly runId: string;
  readonly fence: number;
  readonly known: Map<string, RecordedStep>;
  readonly kept: KeptLease;
}
function createLease(table: JournalTable, { runId, fence, known, kept }: OpenedRun): RunLease {
  const { maxStepBytes } = table;
  let isClosed = false;
  const write = async (line: TableStep): Promise<void> => {
    if (isClosed) throw new TypeError(`The lease of the run "${runId}" was given back.`);
    kept.lost.throwIfAborted();
    if (!(await persist(table, kept, () => table.write(runId, fence, line)))) throw kept.lose();
    const { key } = line.step;
    known.set(
      key,
      line.json === undefined ? { state: "begun" } : { state: "ended", json: line.json },
    );
  };
  return {
    lost: kept.lost,
    ...(maxStepBytes !== undefined && { maxStepBytes }),
    read: async (key) => known.get(key),
    begin: async (step) => {
      await write({ step });
      await kept.assertHeld();
    },
    end: async (step, json) => {
      assertStepSize(step, json, maxStepBytes);
      await write({ step, json });
    },
    close: async (end) => {
      if (isClosed) return;
      isClosed = true;
      kept.stop();
      if (!kept.lost.aborted) await persist(table, kept, () => table.release(runId, fence, end));
    },
  };
}

const firstPauseMs = 20;
const longestPauseMs = 1000;

/** Tries an operation again after a lost connection, for as long as the lease is held. */
async function persist<T>(
  { isTransient }: JournalTable,
  kept: Pick<KeptLease, "lost" | "isHeld">,
  operation: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await operation();
    } catch (cause) {
      if (!isTransient?.(cause)) throw cause;
      if (kept.lost.aborted) throw kept.lost.reason;
      if (!kept.isHeld())
        throw new JournalError(
          "unavailable",
          "The journal could not be reached until the lease ended. Start the run again: what was recorded counts.",
          { cause },
        );
    }
    await sleep(pauseMs, kept.lost);
  }
}
