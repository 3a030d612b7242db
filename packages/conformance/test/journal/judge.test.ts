import type { Journal } from "@fullstop/loop/journal";
import { expect, test } from "vitest";
import { report, type Verdict } from "../../src/index.ts";
import {
  type JournalJudgeOptions,
  type JournalSubject,
  journalClauses,
  judgeJournal,
} from "../../src/journal/judge.ts";
import { memorySubject } from "./memory.ts";

const quick: JournalJudgeOptions = { timeoutMs: 4000, leasesMs: [300] };
const sound = memorySubject();

async function verdictsOn(
  subject: JournalSubject,
  options: JournalJudgeOptions,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for await (const verdict of judgeJournal(subject, { ...quick, ...options }))
    verdicts.push(verdict);
  return verdicts;
}

test("one clause and one check can be asked alone", async () => {
  const [verdict, ...others] = await verdictsOn(sound, { only: "journal.text/nul-character" });
  expect(others).toEqual([]);
  expect(verdict).toMatchObject({ status: "kept", checks: 1, checkIds: ["nul-character"] });
  await expect(verdictsOn(sound, { only: "journal.text/nul" })).rejects.toThrow(
    'journal.text has no check "nul". It has empty-object',
  );
  await expect(verdictsOn(sound, { only: "journal.txt" })).rejects.toThrow("Did you mean");
});

test("a clause that a journal disclaims must be broken", async () => {
  const only = "journal.blank";
  const notClaimed = { [only]: "it is new" };
  const [stale] = await verdictsOn({ ...sound, notClaimed }, { only });
  expect(stale && report(stale)).toContain("remove it from notClaimed");
  const mutant = journalClauses.find(({ id }) => id === only)?.mutants[0];
  const broken = mutant?.subject(sound) ?? sound;
  const [verdict] = await verdictsOn({ ...broken, notClaimed }, { only });
  expect(verdict).toMatchObject({ status: "not-claimed", reason: "it is new" });
  await expect(
    verdictsOn({ ...sound, notClaimed: { "journal.none": "why" } }, { only }),
  ).rejects.toThrow('unknown clause "journal.none"');
});

/** A journal whose lock lasts as long as the connection of its holder. */
function lockedSubject({ canCut }: { readonly canCut: boolean }): JournalSubject {
  return {
    name: "lock",
    create: async () => {
      const store = await sound.create({ leaseMs: 1 });
      const locks = new Map<string, Journal>();
      const connect = async (): Promise<Journal> => {
        const inner = await store.connect();
        const journal: Journal = {
          open: async (runId, signal) => {
            if (locks.has(runId))
              throw Object.assign(new Error("in use"), { name: "JournalError", kind: "in-use" });
            locks.set(runId, journal);
            return inner.open(runId, signal);
          },
        };
        return journal;
      };
      const cut = (journal: Journal): void => {
        for (const [runId, holder] of locks) if (holder === journal) locks.delete(runId);
      };
      return { connect, close: () => store.close(), ...(canCut && { cut }) };
    },
  };
}

test("a lock that no clock ends is not judged by its end, unless it can be cut", async () => {
  const only = "journal.kept-after-loss";
  const [uncut] = await verdictsOn(lockedSubject({ canCut: false }), { only, timeoutMs: 500 });
  expect(uncut?.status).toBe("not-asked");
  const [cut] = await verdictsOn(lockedSubject({ canCut: true }), { only });
  expect(cut).toMatchObject({ status: "kept", checks: 2 });
});

test("a journal that never answers is broken, and the judging ends", async () => {
  const silent: JournalSubject = {
    name: "silent",
    create: () => ({
      connect: () => ({ open: () => new Promise(() => undefined) }),
      close: () => undefined,
    }),
  };
  const [verdict] = await verdictsOn(silent, { only: "journal.blank", timeoutMs: 200 });
  expect(verdict && report(verdict)).toContain("nothing happened for 0.2 s");
});

/** A journal that is broken if leases are short, and sound if they are long. */
function brokenIfShort(clause: string, wrong: string): JournalSubject {
  const mutants = journalClauses.find(({ id }) => id === clause)?.mutants ?? [];
  const broken = mutants.find((mutant) => mutant.wrong === wrong)?.subject(sound);
  if (broken === undefined) throw new Error(`no journal that ${wrong}`);
  const create: JournalSubject["create"] = (options) =>
    (options.leaseMs < 400 ? broken : sound).create(options);
  return { name: "hasty", create };
}

test("a process that loses its run may have been too slow, so a longer lease decides", async () => {
  const only = "journal.renewed";
  const slow = brokenIfShort(only, "does not renew its lease");
  const [short] = await verdictsOn(slow, { only, leasesMs: [100] });
  expect(short?.status).toBe("broken");
  const [long] = await verdictsOn(slow, { only, timeoutMs: 30_000, leasesMs: [100, 400, 4000] });
  expect(long?.status).toBe("kept");
});

test("two processes that both write are a fault, however short their leases", async () => {
  const only = "journal.one-writer";
  const wrong = "lets a second connection write through the lease of the first";
  const [verdict] = await verdictsOn(brokenIfShort(only, wrong), { only, leasesMs: [100, 2000] });
  expect(verdict && report(verdict)).toContain("both connections write the run");
});

test("the timers of the process are its own again after a judgement", async () => {
  const before = globalThis.setTimeout;
  await verdictsOn(sound, { only: "journal.taken-over" });
  expect(globalThis.setTimeout).toBe(before);
});
