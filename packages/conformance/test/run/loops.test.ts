import { expect, test } from "vitest";
import { loopClauses } from "../../src/clauses/index.ts";
import { judge, type LoopSubject, report, type Subject, type Verdict } from "../../src/index.ts";
import { smallLoop } from "../../src/loop/small-loop.ts";
import { overSockets } from "../../src/server.ts";
import acme from "../acme.ts";
import { adapterMutants, loopMutants } from "../mutants.ts";

const verdicts = async (subject: Subject, only?: string): Promise<readonly Verdict[]> => {
  const all: Verdict[] = [];
  for await (const verdict of judge(subject, { only, jobs: 8 })) all.push(verdict);
  return all;
};

test("a small loop around the gate keeps every clause for loops", async () => {
  for (const verdict of await verdicts(smallLoop(acme))) {
    // Its protocol ends with the event that has the stop reason.
    const expected = verdict.clause.id === "stop.no-terminal" ? "not-claimed" : "kept";
    expect(verdict.status, report(verdict)).toBe(expected);
  }
});

test("a loop that cannot take a fetch is judged over a socket", async () => {
  const host = await overSockets();
  try {
    for await (const verdict of judge(smallLoop(acme), { only: "history", host }))
      expect(verdict.status, report(verdict)).toBe("kept");
    expect(host.count()).toBeGreaterThan(5);
  } finally {
    await host.close();
  }
});

test("a loop that runs no tool cannot be judged, and the reason is reported", async () => {
  const idle: LoopSubject = { wire: acme.wire, loop: async () => undefined };
  await expect(verdicts(idle)).rejects.toThrow("It cannot be judged: it made no request.");
});

/** Some are so broken that nothing can be asked of them. */
const unfit = (thrown: unknown): readonly Verdict[] => {
  expect(String(thrown)).toContain("It cannot be judged");
  return [];
};

/** Loops that are broken on purpose: around each broken adapter, and of their own. */
const broken = [
  ...adapterMutants.map(({ caughtBy, subject }) => ({
    caughtBy,
    subject: smallLoop(subject(acme)),
  })),
  ...loopMutants.map(({ caughtBy, subject }) => ({ caughtBy, subject: subject(acme) })),
];

test.for(loopClauses)("$id catches its broken loop", async ({ id }) => {
  const found: (string | undefined)[] = [];
  for (const { subject } of broken.filter(({ caughtBy }) => caughtBy === id)) {
    const [verdict] = await verdicts(subject, id).catch(unfit);
    found.push(verdict?.status);
  }
  expect(found).toContain("broken");
});
