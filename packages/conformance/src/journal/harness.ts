import type { RunLease } from "@fullstop/loop/journal";
import { connectTo, type JournalConnection } from "./connection.ts";
import type { JournalStore, JournalSubject } from "./subject.ts";

/** How long things take. The defaults are for real databases. */
export interface JournalTiming {
  /** Milliseconds for one operation, longer than any lease of the suite. Default: 30,000. */
  readonly timeoutMs: number;
  /**
   * The leases of the checks that wait for the end or the renewal of one, in milliseconds. Default:
   * 600, 4,000 and 15,000. If a machine is too busy for one, the next is tried.
   */
  readonly leasesMs: readonly number[];
}

/** The timing of a judgement that sets none. */
export const defaultTiming: JournalTiming = { timeoutMs: 30_000, leasesMs: [600, 4000, 15_000] };

/** A store that is open, and its connections. */
export interface OpenStore extends Pick<JournalStore, "block" | "remove"> {
  readonly leaseMs: number;
  connect(): Promise<JournalConnection>;
  /** Takes a run through a connection of its own. */
  open(runId: string): Promise<RunLease>;
}

/** What a clause about journals gets. */
export interface JournalHarness {
  readonly timing: JournalTiming;
  /** Does the work with an empty store, and closes it. By default no lease ends meanwhile. */
  withStore<Result>(work: (store: OpenStore) => Promise<Result>, leaseMs?: number): Promise<Result>;
}

/** A lease that lasts longer than any check. */
const longLeaseMs = 600_000;

async function closeStore(
  store: JournalStore,
  connections: readonly JournalConnection[],
): Promise<void> {
  try {
    await Promise.all(connections.map((connection) => connection.end()));
  } finally {
    await store.close();
  }
}

/** Sets up the stores of a subject. */
export const createJournalHarness = (
  subject: JournalSubject,
  timing: JournalTiming,
): JournalHarness => ({
  timing,
  withStore: async (work, leaseMs = longLeaseMs) => {
    const store = await subject.create({ leaseMs });
    const connections: JournalConnection[] = [];
    const connect = async (): Promise<JournalConnection> => {
      const connection = await connectTo(store, timing.timeoutMs);
      connections.push(connection);
      return connection;
    };
    try {
      return await work({
        leaseMs,
        connect,
        open: async (runId) => (await connect()).open(runId),
        ...(store.block && { block: store.block.bind(store) }),
        ...(store.remove && { remove: store.remove.bind(store) }),
      });
    } finally {
      await closeStore(store, connections);
    }
  },
});
