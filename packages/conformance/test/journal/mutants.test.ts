import { describe, expect, test } from "vitest";
import { report, type Verdict } from "../../src/index.ts";
import { type JournalSubject, journalClauses, judgeJournal } from "../../src/journal/judge.ts";
import { clausesWithoutMutant, mutantsOf } from "../mutants.ts";
import { memorySubject } from "./memory.ts";

/** A store in memory answers at once, so short times decide nothing wrongly for a broken one. */
const quick = { timeoutMs: 4000, leasesMs: [300] } as const;

async function verdictOn(subject: JournalSubject, only: string): Promise<Verdict | undefined> {
  for await (const verdict of judgeJournal(subject, { ...quick, only })) return verdict;
  return undefined;
}

describe("every broken journal is caught by its clause", () => {
  test.concurrent.for(mutantsOf(journalClauses))(
    "$caughtBy catches a journal that $wrong",
    async ({ caughtBy, subject }, { expect }) => {
      const verdict = await verdictOn(subject(memorySubject()), caughtBy);
      expect(verdict && report(verdict)).toMatch(/is broken[\s\S]*expected/);
    },
  );
});

test("every clause has a mutant", () => {
  expect(clausesWithoutMutant(journalClauses)).toEqual([]);
});
