import type { RunLease } from "@fullstop/loop/journal";
import { kindOfError } from "./outcomes.ts";
import type { JournalStoreOptions, JournalSubject, ListingJournal } from "./subject.ts";

type BreakJournal = (sound: JournalSubject) => JournalSubject;

/** What all connections of a broken store know. */
export interface BrokenStore extends JournalStoreOptions {
  /** The sound leases that are held, by their runs. */
  readonly holders: Map<string, RunLease>;
  /** What every connection can see, by its key. */
  readonly shared: Map<string, string>;
}

/** A lease that a mutant changes. */
export interface LeaseContext {
  readonly lease: RunLease;
  readonly runId: string;
  readonly store: BrokenStore;
}

/** The journal with functions of its own, also if it is an object of a class. */
const withOwnFunctions = (journal: ListingJournal): ListingJournal => ({
  open: (runId, signal) => journal.open(runId, signal),
  ...(journal.listRuns && { listRuns: journal.listRuns.bind(journal) }),
});

/** Changes the journal of each connection. */
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
          const own = withOwnFunctions(journal);
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

/** A lease with other members. The others keep their values, also those that change. */
const withMembers = (lease: RunLease, changes: Partial<RunLease>): RunLease =>
  Object.create(lease, Object.getOwnPropertyDescriptors(changes)) as RunLease;

export const alterLeases = (change: (context: LeaseContext) => Partial<RunLease>): BreakJournal =>
  alterJournals((journal, store) => ({
    open: async (runId, signal) => {
      const lease = await journal.open(runId, signal);
      store.holders.set(runId, lease);
      return withMembers(lease, change({ lease, runId, store }));
    },
  }));

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
