import { expect, test } from "vitest";
import { eventBoundaries, render } from "../src/harness/bytes.ts";
import { allRepliesFor } from "../src/harness/scenarios.ts";
import { type AdapterSubject, judge, report, type Verdict } from "../src/index.ts";
import acme from "./acme.ts";
import { mutants } from "./mutants.ts";

const verdictsOn = async (subject: AdapterSubject, only: string): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  for await (const verdict of judge(subject, { only })) verdicts.push(verdict);
  return verdicts;
};

/** The subject, and the text of each reply that its adapter gets. */
function recorded(subject: AdapterSubject): {
  readonly subject: AdapterSubject;
  readonly replies: readonly string[];
} {
  const replies: string[] = [];
  return {
    replies,
    subject: {
      ...subject,
      adapter: ({ fetch = globalThis.fetch, ...endpoint }) =>
        subject.adapter({
          ...endpoint,
          fetch: async (...sent) => {
            const response = await fetch(...sent);
            const text = await response.text();
            replies.push(text);
            return new Response(text, response);
          },
        }),
    },
  };
}

const { stop = "", length = "" } = acme.wire.nativeStops;
/** With few replies, because it is asked often. */
const small: AdapterSubject = { ...acme, wire: { ...acme.wire, nativeStops: { stop, length } } };

const brokenBy = (clause: string): AdapterSubject => {
  const mutant = mutants.find(({ caughtBy }) => caughtBy === clause);
  const subject = mutant?.subject(small);
  if (subject === undefined || !("adapter" in subject)) throw new Error(`no mutant of ${clause}`);
  return subject;
};

test("a beginning that several replies share is read once, and none is left out", async () => {
  const { subject, replies } = recorded(acme);
  await verdictsOn(subject, "turn.history");
  const { wire } = acme;
  const all = [
    ...allRepliesFor(wire).map(({ reply }) => wire.frames(reply)),
    ...(wire.fixtures ?? []).map(({ frames }) => frames),
  ].flatMap((frames) => {
    const rendered = render(wire, frames);
    return eventBoundaries(rendered, { exhaustive: false }).map((length) =>
      new TextDecoder().decode(rendered.bytes.subarray(0, length)),
    );
  });
  expect(replies.toSorted()).toEqual([...new Set(all)].toSorted());
  expect(all.length).toBeGreaterThan(replies.length);
});

test("clauses about the same turns read them once, and each catches its own mutant", async () => {
  const [first, second] = ["request.valid", "request.every-host"] as const;
  for (const broken of [first, second]) {
    const verdicts = await verdictsOn(brokenBy(broken), "request");
    const verdict = verdicts.find(({ clause }) => clause.id === broken);
    const [alone] = await verdictsOn(brokenBy(broken), broken);
    expect(verdict, broken).toEqual(alone);
    expect(verdict?.status, broken).toBe("broken");
  }
  const together = recorded(small);
  const sizes = new Map<string, number>();
  for await (const { clause } of judge(together.subject, { only: "request" }))
    sizes.set(clause.id, together.replies.length);
  expect(sizes.get(second), `${second} after ${first}`).toBe(sizes.get(first));
});

test("a subject that throws is reported with its stack trace, and the limit stays", async () => {
  const limit = Error.stackTraceLimit;
  const subject: AdapterSubject = {
    ...acme,
    read: async function readBadly() {
      throw new Error("The reader is broken.");
    },
  };
  const [verdict] = await verdictsOn(subject, "stop.whole");
  expect(verdict && report(verdict)).toMatch(/The reader is broken\.\s+at (?:Object\.)?readBadly/);
  expect(Error.stackTraceLimit).toBe(limit);
});
