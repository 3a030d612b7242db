import { expect, test } from "vitest";
import { adapterControls, controls, judge, report, runClauses, type Subject, type Verdict } from "../../src/index.ts";
import { looped } from "../../src/run/looped.ts";
import acme from "../acme.ts";

const verdicts = async (subject: Subject, only?: string): Promise<readonly Verdict[]> => {
  const all: Verdict[] = [];
  for await (const verdict of judge(subject, { only, jobs: 8 })) all.push(verdict);
  return all;
};

test("a small loop around the gate keeps every clause that is asked of loops", async () => {
  for (const verdict of await verdicts(looped(acme))) expect(verdict.status, report(verdict)).toBe("kept");
});

/** Some are so broken that nothing can be asked of them. */
const unfit = (thrown: unknown): readonly Verdict[] => {
  expect(String(thrown)).toContain("It cannot be judged");
  return [];
};

/** Loops that are broken on purpose: around each broken adapter, and of their own. */
const broken = [
  ...adapterControls.map(({ caughtBy, subject }) => ({ caughtBy, subject: looped(subject(acme)) })),
  ...controls.map(({ caughtBy, subject }) => ({ caughtBy, subject: subject(acme) })),
].filter(({ subject }) => "loop" in subject);

test.for(runClauses)("$id catches a loop that is broken on purpose", async ({ id }) => {
  const found: (string | undefined)[] = [];
  for (const { subject } of broken.filter(({ caughtBy }) => caughtBy === id)) {
    const [verdict] = await verdicts(subject, id).catch(unfit);
    found.push(verdict?.status);
  }
  expect(found).toContain("broken");
});
