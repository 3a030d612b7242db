import { places } from "@tooling/test/sample";
import { describe, expect, test } from "vitest";
import { clauses, judge, report, type Subject, type Verdict } from "../src/index.ts";
import acme from "./acme.ts";
import { guarded } from "./guarded.ts";
import { mutants } from "./mutants.ts";

const verdictOf = async (
  subject: Subject,
  only: string,
  sample?: number,
): Promise<Verdict | undefined> => {
  for await (const verdict of judge(subject, { only, sample, first: true })) return verdict;
  return undefined;
};

describe("every mutant is caught by its clause", () => {
  test.for(mutants)("$caughtBy catches a mutant that $wrong", async ({ caughtBy, subject }) => {
    const isAboutGuards = caughtBy.startsWith("guard.");
    const broken = subject(isAboutGuards ? guarded : acme);
    const verdict = await verdictOf(broken, caughtBy, isAboutGuards ? places(12) : places());
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
