import type { RunLease, StoredRun } from "@fullstop/loop/journal";
import { createHeldTimers, type HeldTimers } from "./held-timers.ts";
import { describeRejection, kindOfError, type Settled, settle } from "./outcomes.ts";
import type { JournalStore, ListingJournal } from "./subject.ts";

/** One process, as the store sees it. */
export interface JournalConnection {
  /** Takes a run. Rejects as the journal does, or if nothing happens for the limit. */
  open(runId: string, signal?: AbortSignal): Promise<RunLease>;
  /** Takes a run, and returns an error as a value. */
  tryOpen(runId: string, signal?: AbortSignal): Promise<Settled<RunLease>>;
  /** The connection does nothing by itself from now on, as if its process were stopped. */
  stop(): Promise<void>;
  /** It goes on, as a process that was stopped does. */
  resume(): void;
  /** Whether it was seen that a timer did not run because of `stop`, or the store noticed its end. */
  isStopped(): boolean;
  /** Whether the store ended the connection. Then an error may say that the store is not there. */
  isCut(): boolean;
  /** The runs of the store. `undefined` if the journal lists none. */
  list(status?: StoredRun["status"]): Promise<readonly StoredRun[] | undefined>;
  /** Gives back every lease. */
  end(): Promise<void>;
}

/** Fails the check that is being made: it cannot be made without this operation. */
async function mustSettle<Value>(operation: Promise<Value>, ms: number): Promise<Value> {
  const settled = await settle(operation, ms);
  if (settled.isFulfilled) return settled.value;
  throw settled.thrown;
}

/** The lease, with each operation in the name of its connection and limited in time. */
function limitLease(lease: RunLease, timers: HeldTimers, ms: number): RunLease {
  const limit = <Value>(work: () => Promise<Value>): Promise<Value> =>
    mustSettle(
      timers.run(async () => work()),
      ms,
    );
  return {
    get lost() {
      return lease.lost;
    },
    get maxStepBytes() {
      return lease.maxStepBytes;
    },
    read: (key) => limit(() => lease.read(key)),
    begin: (step) => limit(() => lease.begin(step)),
    end: (step, json) => limit(() => lease.end(step, json)),
    close: (end) => limit(() => lease.close(end)),
  };
}

async function collectRuns(journal: ListingJournal, status: StoredRun["status"] | undefined) {
  const listed = await journal.listRuns?.(status === undefined ? {} : { status });
  if (listed === undefined) return undefined;
  const runs: StoredRun[] = [];
  for await (const run of listed) runs.push(run);
  return runs;
}

/** Connects to the store, as another process would. `timeoutMs`: how long one operation may take. */
export async function connectTo(
  store: JournalStore,
  timeoutMs: number,
): Promise<JournalConnection> {
  const timers = createHeldTimers();
  const journal = await mustSettle(
    timers.run(async () => store.connect()),
    timeoutMs,
  );
  const openings = new Set<Promise<RunLease>>();
  let isCut = false;
  const start = (runId: string, signal?: AbortSignal): Promise<RunLease> => {
    const opening = timers.run(async () => journal.open(runId, signal));
    openings.add(opening);
    return opening.then((lease) => limitLease(lease, timers, timeoutMs));
  };
  const tryOpen = (runId: string, signal?: AbortSignal): Promise<Settled<RunLease>> =>
    settle(start(runId, signal), timeoutMs);
  return {
    tryOpen,
    open: (runId, signal) => mustSettle(start(runId, signal), timeoutMs),
    stop: async () => {
      timers.hold();
      if (store.cut === undefined) return;
      isCut = true;
      await store.cut(journal);
    },
    resume: timers.resume,
    isStopped: () => isCut || timers.waiting() > 0,
    isCut: () => isCut,
    list: (status) => mustSettle(collectRuns(journal, status), timeoutMs),
    end: async () => {
      timers.resume();
      await Promise.all([...openings].map((opening) => endOpening(opening, timers, timeoutMs)));
      timers.dispose();
    },
  };
}

/** Gives a lease back if it came. An attempt that is still waiting is left to the end of the store. */
async function endOpening(
  opening: Promise<RunLease>,
  timers: HeldTimers,
  ms: number,
): Promise<void> {
  const closed = opening.then((lease) => timers.run(async () => lease.close()));
  await settle(closed, Math.min(ms, closeLimitMs));
}
/** A check has its verdict by now, so a lease that cannot be given back is not waited for. */
const closeLimitMs = 2000;

/** What became of an attempt to take the run of a connection that does not answer any more. */
export type Takeover =
  | { readonly lease: RunLease }
  /** Why it could not be taken. `isFault`: the journal is to blame. */
  | { readonly why: string; readonly isFault: boolean };

export interface TakeoverOptions {
  readonly runId: string;
  readonly stopped: JournalConnection;
  readonly leaseMs: number;
  readonly timeoutMs: number;
}

/** Takes a run whose holder was stopped, as soon as its lease has ended. */
export async function takeOver(
  by: JournalConnection,
  { runId, stopped, leaseMs, timeoutMs }: TakeoverOptions,
): Promise<Takeover> {
  const started = performance.now();
  for (;;) {
    const opened = await by.tryOpen(runId);
    if (opened.isFulfilled) return { lease: opened.value };
    const { thrown } = opened;
    const elapsed = performance.now() - started;
    if (kindOfError(thrown) !== "in-use" || elapsed > timeoutMs)
      return { why: `open ${describeRejection(thrown)}`, isFault: stopped.isStopped() };
    if (elapsed > leaseMs * leasesUntilNoticed && !stopped.isStopped())
      return {
        why: "the suite could not end its lease: it could hold back no timer of the holder, and the store has no `cut`",
        isFault: false,
      };
    await new Promise((resolve) => setTimeout(resolve, leaseMs / 4));
  }
}
/** A holder that renews its lease does so within one lease. */
const leasesUntilNoticed = 3;
