import { places } from "@tooling/test/sample";
import { describe, expect, test } from "vitest";
import { clauses, judge, report, type Subject, type Verdict } from "../src/index.ts";
import acme from "./acme.ts";
import { guarded } from "./guarded.ts";
import { type CaughtMutant, mutants } from "./mutants.ts";
import { sound } from "./sound.ts";

const verdictOf = async (
  subject: Subject,
  only: string,
  sample?: number,
): Promise<Verdict | undefined> => {
  for await (const verdict of judge(subject, { only, sample, first: true })) return verdict;
  return undefined;
};

/** The verdict on the first subject in which the mutant breaks something. */
async function firstBroken({
  caughtBy,
  subject,
}: CaughtMutant<Subject>): Promise<Verdict | undefined> {
  if (caughtBy.startsWith("guard.")) return verdictOf(subject(guarded), caughtBy, places(12));
  for (const one of sound) {
    const verdict = await verdictOf(subject(one), caughtBy, places());
    if (verdict?.status === "broken") return verdict;
  }
  return undefined;
}

describe("every mutant is caught by its clause", () => {
  test.for(mutants)("$caughtBy catches a mutant that $wrong", async (mutant) => {
    const verdict = await firstBroken(mutant);
    expect(verdict?.status).toBe("broken");
    expect(verdict && report(verdict)).toContain("expected");
  });
});

test("every clause has a mutant", () => {
  const caught = new Set(mutants.map(({ caughtBy }) => caughtBy));
  expect(clauses.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
});

test("a mutant that breaks nothing is not caught", async () => {
  const harmless: Subject = { ...acme, adapter: (endpoint) => ({ ...acme.adapter(endpoint) }) };
  for await (const verdict of judge(harmless, { sample: places() }))
    expect(verdict.broken, verdict.clause.id).toEqual([]);
});
