import { places } from "@tooling/test/sample";
import { describe, expect, test } from "vitest";
import { wholeOnly } from "../src/clauses/mutants.ts";
import { type AdapterSubject, judge, report, type Verdict } from "../src/index.ts";
import { describeNotAsked } from "../src/report/index.ts";
import acme from "./acme.ts";
import { adapterMutants } from "./mutants.ts";
import { sound } from "./sound.ts";

const { whole: _, ...streamingWire } = acme.wire;
const { wholeAdapter: __, ...streaming } = { ...acme, wire: streamingWire };

const verdictsOf = async (subject: AdapterSubject, only?: string): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  for await (const verdict of judge(subject, { only, sample: places(), first: true }))
    verdicts.push(verdict);
  return verdicts;
};

/** The clauses about replies that a wire can write in one piece. */
const asked = (await verdictsOf(streaming)).filter(({ notAsked = [] }) =>
  notAsked.some((what) => what.startsWith("in one piece")),
);
const askedIds = new Set(asked.map(({ clause }) => clause.id));

test("a wire that writes no reply in one piece is named in each clause and in the summary", () => {
  expect(asked.length).toBeGreaterThan(30);
  for (const verdict of asked)
    expect(report(verdict)).toContain("Not asked in one piece: the wire has no `whole`");
  expect(describeNotAsked(asked)).toEqual([
    `${asked.length} clauses not asked in one piece: the wire has no \`whole\``,
  ]);
});

test("a clause that is not claimed says what the wire lacks", async () => {
  const [mutant] = adapterMutants.filter(({ caughtBy }) => caughtBy === "stop.cap");
  const [verdict] = await verdictsOf(
    {
      ...(mutant?.subject(streaming) ?? streaming),
      notClaimed: { "stop.cap": "the host counts nothing" },
    },
    "stop.cap",
  );
  expect(verdict?.status).toBe("not-claimed");
  expect(verdict?.reason).toBe(
    "the host counts nothing; not asked in one piece: the wire has no `whole`",
  );
});

test("an adapter that cannot ask for a reply in one piece gets a sentence that says so", async () => {
  const { wholeAdapter: ___, ...subject } = acme;
  const [verdict] = await verdictsOf(subject, "request.whole");
  expect(verdict).toMatchObject({ status: "not-asked" });
  expect(verdict?.reason).toContain("`wholeAdapter`");
});

/** Only streamed fixtures show the first ones. A body that was cut is no JSON, so the others find nothing in it. */
const unseen = [
  "runs calls after an end that forbids them",
  "takes an empty object before an input for a part of it",
  "does not look for calls in other choices or candidates",
  "reads no content that is a number",
  "runs calls without a terminal",
  "closes the brackets of an object that was cut",
  "takes an object when its last bracket has come",
];

describe("a fault is found if only replies in one piece have it", () => {
  const mutants = adapterMutants.filter(
    ({ caughtBy, wrong }) =>
      askedIds.has(caughtBy) && !wrong.includes("in one piece") && !unseen.includes(wrong),
  );
  test.for(mutants)("$caughtBy catches a mutant that $wrong", async ({ caughtBy, subject }) => {
    for (const one of sound) {
      const [verdict] = await verdictsOf(wholeOnly(subject)(one), caughtBy);
      if (verdict?.status !== "broken") continue;
      expect(verdict.broken[0]?.at).toContain("in one piece");
      return;
    }
    expect.fail("It is not found.");
  });
});
