import type { JournalTable, RunEnd } from "@fullstop/loop/journal";

type Operation = Exclude<keyof JournalTable, "maxStepBytes" | "isTransient">;

/** A connection that broke. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

interface StoredLease {
  fence: number;
  renewals: number;
  /** By the clock of the table. */
  until: number;
  isHeld: boolean;
}

interface ConnectOptions {
  /**
   * Called before an operation reaches the table, and before its answer is given. It may throw, or
   * return a promise that keeps the operation waiting.
   */
  readonly fault?: (
    operation: Operation,
    when: "before" | "after",
    key?: string,
  ) => void | Promise<void>;
  readonly maxStepBytes?: number;
}

/** A table in memory that several processes use. Its clock moves only when a test moves it. */
export interface MemoryTable {
  /** What is recorded: `<key> begun`, or `<key>`. */
  readonly recorded: () => readonly string[];
  readonly json: (key: string) => string | undefined;
  /** How each lease was given back. */
  readonly ends: (RunEnd | undefined)[];
  /** The operations that reached the table. */
  readonly operations: Operation[];
  readonly moveClock: (ms: number) => void;
  /** The table as one process sees it. */
  readonly connect: (options?: ConnectOptions) => JournalTable;
}

export function memoryTable(): MemoryTable {
  const leases = new Map<string, StoredLease>();
  const lines = new Map<string, string | undefined>();
  const operations: Operation[] = [];
  const ends: (RunEnd | undefined)[] = [];
  let now = 0;
  const holds = (runId: string, fence: number): StoredLease | undefined => {
    const lease = leases.get(runId);
    return lease?.fence === fence ? lease : undefined;
  };
  const claim = (runId: string, leaseMs: number): Awaited<ReturnType<JournalTable["claim"]>> => {
    const last = leases.get(runId);
    if (last?.isHeld && last.until > now)
      return {
        granted: false,
        renewal: `${last.fence}.${last.renewals}`,
        freeInMs: last.until - now,
      };
    const fence = (last?.fence ?? 0) + 1;
    leases.set(runId, { fence, renewals: 0, until: now + leaseMs, isHeld: true });
    return { granted: true, fence };
  };
  const connect = ({ fault, maxStepBytes }: ConnectOptions = {}): JournalTable => {
    const perform = async <T>(operation: Operation, work: () => T, key?: string): Promise<T> => {
      await fault?.(operation, "before", key);
      operations.push(operation);
      const result = work();
      await fault?.(operation, "after", key);
      return result;
    };
    return {
      maxStepBytes,
      isTransient: (thrown) => thrown instanceof ConnectionError,
      claim: (runId, leaseMs) => perform("claim", () => claim(runId, leaseMs)),
      renew: (runId, fence, leaseMs) =>
        perform("renew", () => {
          const lease = holds(runId, fence);
          if (lease === undefined) return false;
          Object.assign(lease, { renewals: lease.renewals + 1, until: now + leaseMs });
          return true;
        }),
      load: async function* (runId) {
        const pages = await perform("load", () =>
          [...lines].map(([key, json]) => [{ key: key.replace(/ begun$/, ""), json }]),
        );
        yield* pages.filter((page) => page.every(({ key }) => `${key}/`.startsWith(`${runId}/`)));
      },
      write: (runId, fence, { step: { key }, json }) =>
        perform(
          "write",
          () => {
            if (holds(runId, fence) === undefined) return false;
            lines.set(json === undefined ? `${key} begun` : key, json);
            return true;
          },
          json === undefined ? `${key} begun` : key,
        ),
      release: (runId, fence, end) =>
        perform("release", () => {
          const lease = holds(runId, fence);
          if (lease === undefined) return false;
          lease.isHeld = false;
          ends.push(end);
          return true;
        }),
    };
  };
  const moveClock = (ms: number): void => {
    now += ms;
  };
  return {
    recorded: () => [...lines.keys()],
    json: (key) => lines.get(key),
    ends,
    operations,
    moveClock,
    connect,
  };
}
