import {
  deletedError,
  type JournalStep,
  type JournalTable,
  leasedJournal,
  type RunEnd,
  type StoredRun,
} from "@fullstop/loop/journal";
import type { JournalSubject } from "../../src/journal/judge.ts";

interface MemoryRun {
  fence: number;
  renewals: number;
  leaseEnds: number;
  end: RunEnd | undefined;
  readonly lines: { readonly step: JournalStep; readonly json?: string | undefined }[];
  readonly createdAt: Date;
  updatedAt: Date;
}

/** No step can be recorded at the moment. */
class Locked extends Error {}

/** What every connection to the store sees. */
type MemoryRuns = Map<string, MemoryRun>;

/** The largest text of a step. It is larger than each text of the clause about texts. */
const maxStepBytes = 1_500_000;

/** A sound table in memory: each function does all its work at once. */
export function memoryTable(runs: MemoryRuns, isBlocked = (): boolean => false): JournalTable {
  const runOf = (runId: string): MemoryRun => {
    const now = new Date();
    const run: MemoryRun = runs.get(runId) ?? {
      fence: 0,
      renewals: 0,
      leaseEnds: 0,
      end: undefined,
      lines: [],
      createdAt: now,
      updatedAt: now,
    };
    runs.set(runId, run);
    return run;
  };
  const heldRun = (runId: string): MemoryRun => {
    const run = runs.get(runId);
    if (run === undefined) throw deletedError(`The run "${runId}" was deleted from memory`);
    return run;
  };
  const extend = (run: MemoryRun, leaseMs: number): void => {
    run.leaseEnds = performance.now() + leaseMs;
    run.renewals++;
    run.updatedAt = new Date();
  };
  return {
    maxStepBytes,
    claim: async (runId, leaseMs) => {
      const run = runOf(runId);
      const freeInMs = run.leaseEnds - performance.now();
      if (freeInMs > 0) return { granted: false, renewal: String(run.renewals), freeInMs };
      run.fence++;
      run.end = undefined;
      extend(run, leaseMs);
      return { granted: true, fence: run.fence };
    },
    renew: async (runId, fence, leaseMs) => {
      const run = heldRun(runId);
      if (run.fence !== fence) return false;
      extend(run, leaseMs);
      return true;
    },
    async *load(runId) {
      yield runOf(runId).lines.map(({ step, json }) => ({ key: step.key, json }));
    },
    isTransient: (thrown) => thrown instanceof Locked,
    write: async (runId, fence, line) => {
      if (isBlocked()) throw new Locked("The steps are locked.");
      const run = heldRun(runId);
      if (run.fence !== fence) return false;
      run.lines.push(line);
      return true;
    },
    release: async (runId, fence, end) => {
      const run = heldRun(runId);
      if (run.fence !== fence) return false;
      run.leaseEnds = 0;
      run.end = end;
      run.updatedAt = new Date();
      return true;
    },
  };
}

const statusOf = ({ end, leaseEnds }: MemoryRun): StoredRun["status"] =>
  leaseEnds > performance.now() ? "running" : (end?.status ?? "interrupted");

const list = (runs: MemoryRuns, status: StoredRun["status"] | undefined): readonly StoredRun[] =>
  [...runs]
    .map(([runId, run]) => ({
      runId,
      status: statusOf(run),
      createdAt: run.createdAt,
      updatedAt: run.updatedAt,
      ...(run.end?.calls !== undefined && { calls: run.end.calls }),
    }))
    .filter((run) => status === undefined || run.status === status);

/** A journal over a table in memory. `change` breaks the table. */
export const memorySubject = (
  change: (table: JournalTable, runs: MemoryRuns) => Partial<JournalTable> = () => ({}),
): JournalSubject => ({
  name: "memory",
  create: ({ leaseMs }) => {
    const runs: MemoryRuns = new Map();
    let isBlocked = false;
    return {
      block: () => {
        isBlocked = true;
        return () => {
          isBlocked = false;
        };
      },
      remove: () => runs.clear(),
      connect: () => {
        const table = memoryTable(runs, () => isBlocked);
        const journal = leasedJournal({ ...table, ...change(table, runs) }, { leaseMs });
        return { ...journal, listRuns: async ({ status } = {}) => list(runs, status) };
      },
      close: () => runs.clear(),
    };
  },
});
