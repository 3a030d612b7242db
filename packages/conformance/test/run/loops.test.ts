import { readTurn } from "@fullstop/core";
import { expect, test } from "vitest";
import { loopClauses } from "../../src/clauses/index.ts";
import { runWithheld } from "../../src/clauses/mutants.ts";
import {
  type AdapterSubject,
  judge,
  type LoopSubject,
  report,
  type Subject,
  type Verdict,
} from "../../src/index.ts";
import { smallLoop } from "../../src/loop/small-loop.ts";
import { overSockets } from "../../src/server.ts";
import acme from "../acme.ts";
import { adapterMutants, loopMutants } from "../mutants.ts";
import { sound } from "../sound.ts";

const verdicts = async (subject: Subject, only?: string): Promise<readonly Verdict[]> => {
  const all: Verdict[] = [];
  for await (const verdict of judge(subject, { only, jobs: 40 })) all.push(verdict);
  return all;
};

/** Its protocol has neither ids of replies nor a second place for a call, and knows no agents. */
const askedElsewhere: readonly string[] = ["call.once", "call.one-reply", "history.native"];

/**
 * Its protocol ends with the event that has the stop reason, and lists no stop reason without calls.
 */
const notAsked: readonly string[] = ["stop.no-terminal", "stop.without-calls", ...askedElsewhere];

test("a small loop around the gate keeps every clause for loops", async () => {
  for (const verdict of await verdicts(smallLoop(acme))) {
    const expected = notAsked.includes(verdict.clause.id) ? "not-asked" : "kept";
    expect(verdict.status, report(verdict)).toBe(expected);
  }
});

test.for(sound.slice(1).map((one) => [one.wire.name, one] as const))(
  "a small loop around %s keeps the clauses that a small protocol cannot ask",
  async ([, one]) => {
    for (const only of askedElsewhere) {
      const [verdict] = await verdicts(smallLoop(one), only);
      expect(verdict?.status, verdict && report(verdict)).toBe("kept");
    }
  },
);

test("a loop that cannot take a fetch is judged over a socket", async () => {
  const host = await overSockets();
  try {
    for await (const verdict of judge(smallLoop(acme), { only: "history.result", host }))
      expect(verdict.status, report(verdict)).toBe("kept");
    expect(host.count()).toBe(8);
  } finally {
    await host.close();
  }
});

test("a loop that runs no tool cannot be judged, and the reason is reported", async () => {
  const idle: LoopSubject = { wire: acme.wire, loop: async () => undefined };
  await expect(verdicts(idle)).rejects.toThrow("It cannot be judged: it made no request.");
});

test("a loop that repairs and runs the second cut reply is accused", async () => {
  const discardsOnce: AdapterSubject = {
    ...acme,
    read: async (adapter, request, options) => {
      const turn = await readTurn(adapter, request, options);
      const isRetry = request.messages.length > 1;
      return isRetry && turn.withheld.length > 0 ? runWithheld(turn) : turn;
    },
  };
  const [verdict] = await verdicts(smallLoop(discardsOnce), "call.cut-input");
  expect(verdict?.broken.length, verdict && report(verdict)).toBeGreaterThan(0);
});

test("a run that is silent after two retries is ended, and judged only by what ran", async () => {
  const waits: LoopSubject = {
    wire: acme.wire,
    timeoutMs: 120_000,
    loop: async (context) => {
      let failures = 0;
      const silent = smallLoop(acme, {
        afterFailure: () => (++failures < 3 ? Promise.resolve() : new Promise(() => undefined)),
      });
      await silent.loop(context);
    },
  };
  const [[ends], [cut]] = await Promise.all([
    verdicts(waits, "recovery.ends"),
    verdicts(waits, "stop.cut"),
  ]);
  expect(ends?.status, ends && report(ends)).toBe("kept");
  expect(ends?.reason).toContain("ended by the suite after 2 retries");
  expect(cut?.status, cut && report(cut)).toBe("kept");
});

/** Some are so broken that nothing can be asked of them. */
const unfit = (thrown: unknown): readonly Verdict[] => {
  expect(String(thrown)).toContain("It cannot be judged");
  return [];
};

/** The small protocol if it can ask the clause, otherwise the others. */
const subjectsFor = (clause: string): readonly AdapterSubject[] =>
  askedElsewhere.includes(clause) ? sound.slice(1) : [acme];

/** Loops that are broken on purpose: around each broken adapter, and of their own. */
const broken = [
  ...adapterMutants.flatMap(({ caughtBy, subject }) =>
    subjectsFor(caughtBy).map((one) => ({ caughtBy, subject: smallLoop(subject(one)) })),
  ),
  ...loopMutants.flatMap(({ caughtBy, subject }) =>
    subjectsFor(caughtBy).map((one) => ({ caughtBy, subject: subject(one) })),
  ),
];

test.for(loopClauses)("$id catches its broken loop", async ({ id }) => {
  const found: (string | undefined)[] = [];
  for (const { subject } of broken.filter(({ caughtBy }) => caughtBy === id)) {
    const [verdict] = await verdicts(subject, id).catch(unfit);
    found.push(verdict?.status);
  }
  expect(found).toContain("broken");
});
