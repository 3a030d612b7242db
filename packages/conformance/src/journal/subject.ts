import type { Journal, RunStatus, StoredRun } from "@fullstop/loop/journal";

/** A journal that may also list its runs. */
export interface ListingJournal extends Journal {
  listRuns?(options?: {
    readonly status?: RunStatus;
  }): AsyncIterable<StoredRun> | Promise<Iterable<StoredRun>>;
}

/** How the suite wants a store. */
export interface JournalStoreOptions {
  /**
   * Milliseconds after which another connection may take the run of a process that no longer
   * answers. Pass it to the journal. A lock that ends with its process has no use for it.
   */
  readonly leaseMs: number;
}

/** Lets steps be recorded again. */
type EndBlock = () => void | Promise<void>;

/** An empty store, which only the suite uses. */
export interface JournalStore {
  /**
   * A journal over the store, as another process opens it: it shares the store with the other
   * connections, and nothing else.
   */
  connect(): ListingJournal | Promise<ListingJournal>;
  /**
   * Ends a connection as the death of its process does: nothing is given back. Only for a store
   * that notices such an end, such as a lock that a database session holds. The suite itself holds
   * back the timers of a connection, so that its leases are not renewed.
   */
  cut?(journal: ListingJournal): void | Promise<void>;
  /**
   * Lets no step be recorded from now on, as a lock of another connection or a full disk does. Leases
   * may still be renewed.
   */
  block?(): EndBlock | Promise<EndBlock>;
  /** Deletes what is stored while connections use it, as a person or a cleaner of files does. */
  remove?(): void | Promise<void>;
  /** Ends every connection, and removes the store. */
  close(): void | Promise<void>;
}

/** A journal that the suite can judge. */
export interface JournalSubject {
  readonly name: string;
  /** Creates an empty store. The suite creates several, one after the other. */
  create(options: JournalStoreOptions): JournalStore | Promise<JournalStore>;
  /** Why the journal does not keep a clause, by its id. If it keeps it, that clause is broken. */
  readonly notClaimed?: Readonly<Record<string, string>> | undefined;
}
