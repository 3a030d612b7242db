import type { JournalTable } from "@fullstop/loop/journal";
import { expect, test } from "vitest";
import type { Verdict } from "../../src/index.ts";
import {
  type JournalJudgeOptions,
  type JournalSubject,
  judgeJournal,
} from "../../src/journal/judge.ts";
import { memorySubject } from "./memory.ts";

const quick: JournalJudgeOptions = { timeoutMs: 4000, leasesMs: [300] };

async function verdictOn(
  subject: JournalSubject,
  only: string,
  options = quick,
): Promise<Verdict | undefined> {
  for await (const verdict of judgeJournal(subject, { ...options, only })) return verdict;
  return undefined;
}

/** Tables behind `leasedJournal` that are broken, and a clause that must see it. */
const broken: Readonly<Record<string, readonly [only: string, subject: JournalSubject]>> = {
  "gives a run although its lease has not ended": [
    "journal.one-writer",
    memorySubject((table, runs) => ({
      claim: (runId, leaseMs) => {
        const run = runs.get(runId);
        if (run !== undefined) run.leaseEnds = 0;
        return table.claim(runId, leaseMs);
      },
    })),
  ],
  "gives the same fence twice": [
    "journal.lost",
    memorySubject((table) => ({
      claim: async (runId, leaseMs) => {
        const claim = await table.claim(runId, leaseMs);
        return claim.granted ? { granted: true, fence: 1 } : claim;
      },
      write: (runId, _fence, line) => writeUnfenced(table, runId, line),
    })),
  ],
  "writes without a look at the fence": [
    "journal.lost",
    memorySubject((table) => ({
      write: (runId, _fence, line) => writeUnfenced(table, runId, line),
      renew: async () => true,
    })),
  ],
  "renews the lease of another": [
    "journal.lost-noticed",
    memorySubject((table, runs) => ({
      renew: (runId, _fence, leaseMs) => table.renew(runId, runs.get(runId)?.fence ?? 0, leaseMs),
    })),
  ],
  "does not make the lease longer": [
    "journal.renewed",
    memorySubject(() => ({ renew: async () => true })),
  ],
  "gives back the lease of another": [
    "journal.closed-late",
    memorySubject((table, runs) => ({
      release: (runId, _fence, end) => table.release(runId, runs.get(runId)?.fence ?? 0, end),
      // Otherwise the lease is known to be lost before it is given back.
      renew: async () => true,
    })),
  ],
  "does not load the steps that only began": [
    "journal.begun",
    memorySubject((table) => ({
      async *load(runId) {
        for await (const page of table.load(runId))
          yield page.filter(({ json }) => json !== undefined);
      },
    })),
  ],
  "loads only the first hundred lines": [
    "journal.parallel",
    memorySubject((table) => ({
      async *load(runId) {
        for await (const page of table.load(runId)) yield page.slice(0, 50);
      },
    })),
  ],
};

/** Writes with the fence of the process that has the run. */
async function writeUnfenced(
  table: JournalTable,
  runId: string,
  line: Parameters<JournalTable["write"]>[2],
): Promise<boolean> {
  for (let fence = 1; fence < 10; fence++) if (await table.write(runId, fence, line)) return true;
  return false;
}

test.for(Object.entries(broken))("a table that %s is caught", async ([, [only, subject]]) => {
  expect(await verdictOn(subject, only)).toMatchObject({ status: "broken" });
});

test.for([...new Set(Object.values(broken).map(([only]) => only))])(
  "with the sound table %s is kept",
  async (only) => {
    const patient = { timeoutMs: 30_000, leasesMs: [300, 2000, 10_000] };
    expect(await verdictOn(memorySubject(), only, patient)).toMatchObject({ status: "kept" });
  },
);
