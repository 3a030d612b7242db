import type { RunLease } from "@fullstop/loop/journal";
import { kindOfError } from "./outcomes.ts";
import type { JournalStoreOptions, JournalSubject, ListingJournal } from "./subject.ts";

type BreakJournal = (sound: JournalSubject) => JournalSubject;

/** What all connections of a broken store know. */
export interface BrokenStore extends JournalStoreOptions {
  /** The last sound lease of each run. */
  readonly holders: Map<string, RunLease>;
  /** What every connection can see, by its key. */
  readonly shared: Map<string, string>;
}

export interface LeaseContext {
  readonly lease: RunLease;
  readonly runId: string;
  readonly store: BrokenStore;
}

/** The journal with functions of its own, also if it is an object of a class. It notes its leases. */
const withOwnFunctions = (journal: ListingJournal, { holders }: BrokenStore): ListingJournal => ({
  open: async (runId, signal) => {
    const lease = await journal.open(runId, signal);
    holders.set(runId, lease);
    return lease;
  },
  ...(journal.listRuns && { listRuns: journal.listRuns.bind(journal) }),
});

export const alterJournals =
  (
    change: (journal: ListingJournal, store: BrokenStore) => Partial<ListingJournal>,
  ): BreakJournal =>
  (sound) => ({
    ...sound,
    create: async (options) => {
      const broken: BrokenStore = { ...options, holders: new Map(), shared: new Map() };
      const store = await sound.create(options);
      const soundOnes = new Map<ListingJournal, ListingJournal>();
      return {
        connect: async () => {
          const journal = await store.connect();
          const own = withOwnFunctions(journal, broken);
          const altered = { ...own, ...change(own, broken) };
          soundOnes.set(altered, journal);
          return altered;
        },
        ...(store.block && { block: store.block.bind(store) }),
        ...(store.remove && { remove: store.remove.bind(store) }),
        ...(store.cut && { cut: (journal) => store.cut?.(soundOnes.get(journal) ?? journal) }),
        close: async () => {
          for (const lease of broken.holders.values()) await lease.close().catch(() => undefined);
          await store.close();
        },
      };
    },
  });

export const alterOpen = (
  change: (
    open: ListingJournal["open"],
    runId: string,
    signal: AbortSignal | undefined,
    store: BrokenStore,
  ) => Promise<RunLease>,
): BreakJournal =>
  alterJournals(({ open }, store) => ({
    open: async (runId, signal) => change(open, runId, signal, store),
  }));

/** A lease with other members. The others keep their values, also those that change. */
const withMembers = (lease: RunLease, changes: Partial<RunLease>): RunLease =>
  Object.create(lease, Object.getOwnPropertyDescriptors(changes)) as RunLease;

export const alterLeases = (change: (context: LeaseContext) => Partial<RunLease>): BreakJournal =>
  alterOpen(async (open, runId, signal, store) => {
    const lease = await open(runId, signal);
    return withMembers(lease, change({ lease, runId, store }));
  });

export const alterTexts = (change: (json: string) => string): BreakJournal =>
  alterLeases(({ lease }) => ({ end: (step, json) => lease.end(step, change(json)) }));

/** Changes each key on its way to the journal, and with it which keys are one. */
export const alterKeys = (change: (key: string) => string): BreakJournal =>
  alterLeases(({ lease }) => ({
    read: (key) => lease.read(change(key)),
    begin: (step) => lease.begin({ ...step, key: change(step.key) }),
    end: (step, json) => lease.end({ ...step, key: change(step.key) }, json),
  }));

/** Does something else when an operation rejects with an error of this kind. */
export async function onKind<Value>(
  kind: string,
  work: () => Promise<Value>,
  instead: (thrown: unknown) => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (kindOfError(thrown) !== kind) throw thrown;
    return instead(thrown);
  }
}

/** An operation of a lease that writes. */
type Write = "begin" | "end" | "close";
/** What a mutant does when a write was rejected. `repeat` writes again, with this or another lease. */
type Instead = (
  thrown: unknown,
  repeat: (lease?: RunLease) => Promise<void>,
  context: LeaseContext,
) => void | Promise<void>;

/** Does something else when one of these operations rejects with an error of this kind. */
export const onRejection = (
  kind: string,
  writes: readonly Write[],
  instead: Instead,
): BreakJournal =>
  alterLeases((context) => {
    const change =
      (name: Write) =>
      (...args: readonly unknown[]) => {
        const repeat = async (lease = context.lease): Promise<void> =>
          (lease[name] as (...sent: readonly unknown[]) => Promise<void>)(...args);
        return onKind(kind, repeat, async (thrown) => instead(thrown, repeat, context));
      };
    return Object.fromEntries(writes.map((name) => [name, change(name)])) as Partial<RunLease>;
  });

export const ignore: Instead = () => undefined;

/** Rejects with another error: of a database if it is a message. */
export const failWith =
  (error: string | ((runId: string) => Error)): Instead =>
  (_, __, { runId }) => {
    throw typeof error === "string" ? new Error(error) : error(runId);
  };

/** A lease whose signal `lost` never aborts. */
export const neverLost: BreakJournal = alterLeases(() => ({ lost: new AbortController().signal }));

/** Gives back the lease that the last connection got. */
export const closeHolder: BreakJournal = alterLeases(({ runId, store: { holders } }) => ({
  close: async (end) => {
    await holders.get(runId)?.close(end);
  },
}));

/** An error as journals throw it. The suite needs only the types of the loop. */
const journalError = (kind: string, message: string): Error =>
  Object.assign(new Error(message), { name: "JournalError", kind });

export const inUseError = (runId: string): Error =>
  journalError("in-use", `Another process is running "${runId}".`);

export const lostError = (runId: string): Error =>
  journalError("lost", `Another process has taken the run "${runId}".`);
