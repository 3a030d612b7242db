import { sleep } from "@fullstop/core/adapter";
import {
  isJournalError,
  type Journal,
  JournalError,
  type JournalStep,
  type RecordedStep,
  type RunLease,
} from "../contract/journal.ts";
import type { JournalTable, TableStep } from "./journal-table.ts";
import { type KeptLease, keepLease } from "./keep-lease.ts";
import { persist } from "./persist.ts";

/** How long a run stays with a process that no longer answers. */
export interface LeaseOptions {
  /**
   * Milliseconds after which another process may take the run of a process that was killed or
   * cannot reach the database. Default: 30,000. A living process renews its lease, however long its
   * run takes.
   */
  readonly leaseMs?: number | undefined;
}

/**
 * A journal over a table of a database. `JournalTable` says what the table must do.
 * @throws RangeError if `leaseMs` is not a positive number.
 */
export function leasedJournal(
  table: JournalTable,
  { leaseMs = 30_000 }: LeaseOptions = {},
): Journal {
  if (!Number.isFinite(leaseMs) || leaseMs <= 0)
    throw new RangeError(
      `\`leaseMs\` is ${leaseMs}. It must be a positive number of milliseconds.`,
    );
  return {
    open: async (runId, signal = new AbortController().signal) => {
      const { fence, since } = await takeRun(table, { runId, leaseMs, signal });
      const renew = (): Promise<boolean> => table.renew(runId, fence, leaseMs);
      const kept = keepLease({ runId, leaseMs, since, renew });
      try {
        const patience = { leaseMs, signal: AbortSignal.any([signal, kept.lost]) };
        const known = await persist(table, patience, ({ onPart }) =>
          loadSteps(table, runId, onPart),
        );
        return createLease(table, { runId, leaseMs, fence, known, kept });
      } catch (thrown) {
        await kept.stop();
        giveBack(table, runId, fence);
        throw thrown;
      }
    },
  };
}

/** Gives back a lease that no run uses. If that fails, the lease ends by itself. */
function giveBack(table: JournalTable, runId: string, fence: number): void {
  table.release(runId, fence, undefined).catch(() => undefined);
}

interface TakeOptions {
  readonly runId: string;
  readonly leaseMs: number;
  readonly signal: AbortSignal;
}
/** Looks again after this many milliseconds at most, to see whether the holder of the lease lives. */
const lookAgainMs = 1000;

/** Waits for the lease of a process that does not renew it. Rejects if that process lives. */
async function takeRun(
  table: JournalTable,
  { runId, leaseMs, signal }: TakeOptions,
): Promise<{ readonly fence: number; readonly since: number }> {
  let seen: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const since = performance.now();
    const claim = await persist(table, { leaseMs, signal }, async ({ isOver }) => {
      const claimed = await table.claim(runId, leaseMs);
      if (claimed.granted && isOver.aborted) giveBack(table, runId, claimed.fence);
      return claimed;
    });
    if (claim.granted) return { fence: claim.fence, since };
    if (seen !== undefined && seen !== claim.renewal)
      throw new JournalError(
        "in-use",
        `Another process is running "${runId}". Try again when it has ended, or use another \`journal.runId\`.`,
      );
    seen = claim.renewal;
    await sleep(Math.min(claim.freeInMs + 1, lookAgainMs), signal);
  }
}

async function loadSteps(
  table: JournalTable,
  runId: string,
  onPage: () => void,
): Promise<Map<string, RecordedStep>> {
  const known = new Map<string, RecordedStep>();
  for await (const page of table.load(runId)) {
    onPage();
    for (const { key, json } of page) {
      if (json !== undefined) known.set(key, { state: "ended", json });
      else if (!known.has(key)) known.set(key, { state: "begun" });
    }
  }
  return known;
}

interface OpenedRun {
  readonly runId: string;
  readonly leaseMs: number;
  readonly fence: number;
  readonly known: Map<string, RecordedStep>;
  readonly kept: KeptLease;
}
function createLease(
  table: JournalTable,
  { runId, leaseMs, fence, known, kept }: OpenedRun,
): RunLease {
  const { maxStepBytes } = table;
  const closed = new AbortController();
  const assertOpen = (): void => closed.signal.throwIfAborted();
  const isOver = AbortSignal.any([kept.lost, closed.signal]);
  const write = async (line: TableStep): Promise<void> => {
    assertOpen();
    kept.lost.throwIfAborted();
    const { step, json } = line;
    const failing = `The step "${step.key}" could not be recorded`;
    const isWritten = await persist(table, { leaseMs, signal: isOver, failing }, () =>
      table.write(runId, fence, line),
    ).catch((thrown: unknown) => {
      throw isJournalError(thrown, "deleted") ? kept.lose(thrown) : thrown;
    });
    if (!isWritten) throw kept.lose();
    known.set(step.key, json === undefined ? { state: "begun" } : { state: "ended", json });
  };
  return {
    lost: kept.lost,
    ...(maxStepBytes !== undefined && { maxStepBytes }),
    read: async (key) => known.get(key),
    begin: async (step) => {
      await write({ step });
      await kept.assertHeld();
      assertOpen();
    },
    end: async (step, json) => {
      assertStepSize(step, json, maxStepBytes);
      await write({ step, json });
    },
    close: async (end) => {
      if (closed.signal.aborted) return;
      closed.abort(new TypeError(`The lease of the run "${runId}" was given back.`));
      await kept.stop();
      // The last renewal may have found that the run is not of this process any more.
      if (end !== undefined) kept.lost.throwIfAborted();
      if (kept.lost.aborted) return;
      const isStored = await persist(table, { leaseMs, signal: kept.lost }, () =>
        table.release(runId, fence, end),
      );
      if (!isStored) throw kept.lose();
    },
  };
}

/** Throws if the text has more bytes of UTF-8 than the journal takes. */
export function assertStepSize(
  { key }: JournalStep,
  json: string,
  maxStepBytes: number = Number.POSITIVE_INFINITY,
): void {
  // A UTF-16 unit has at most three bytes of UTF-8.
  if (json.length * 3 <= maxStepBytes) return;
  const bytes = new TextEncoder().encode(json).length;
  if (bytes > maxStepBytes)
    throw new JournalError(
      "too-large",
      `The result of the step "${key}" has ${bytes} bytes, and the journal takes at most ${maxStepBytes}. Make the result smaller, or raise \`maxStepBytes\` of the journal.`,
    );
}
