import { isFull } from "@tooling/test/full";
import { expect, test } from "vitest";
import { clauses, judge, report, type Subject, type Verdict } from "../src/index.ts";
import { journalConformance } from "../src/journal/index.ts";
import { conform, replays } from "../src/vitest.ts";
import acme from "./acme.ts";
import { mutants } from "./mutants.ts";

const all = async (
  subject: Subject,
  only?: string | readonly string[],
): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  for await (const verdict of judge(subject, { only })) verdicts.push(verdict);
  return verdicts;
};
const broken = (wrong: string): Subject => {
  const mutant = mutants.find((one) => one.wrong === wrong);
  if (mutant === undefined) throw new Error(`no mutant that ${wrong}`);
  return mutant.subject(acme);
};

test("a clause can be asked alone, and so can a family", async () => {
  expect((await all(acme, "stop.cut")).map(({ clause }) => clause.id)).toEqual(["stop.cut"]);
  expect((await all(acme, "error")).map(({ clause }) => clause.id)).toEqual([
    "error.in-band",
    "error.retry-after",
    "error.status",
    "error.unreachable",
  ]);
  await expect(all(acme, "stop.cuts")).rejects.toThrow('No clause is called "stop.cuts"');
});

test("several clauses can be asked, each once and in their order", async () => {
  const asked = await all(acme, ["wire.chunks", "stop.cut", "wire.chunks"]);
  expect(asked.map(({ clause }) => clause.id)).toEqual(["stop.cut", "wire.chunks"]);
  await expect(all(acme, ["stop.cut", "wire.chunk"])).rejects.toThrow("Did you mean wire.chunks?");
  await expect(all(acme, ["stop.cut", "stop.cut/first"])).rejects.toThrow(
    "Name the clause: stop.cut.",
  );
});

test("a clause that a subject disclaims is not claimed, with the reason", async () => {
  const subject = {
    ...broken("runs calls at the cap"),
    notClaimed: { "stop.cap": "the host counts nothing" },
  };
  const [verdict] = await all(subject, "stop.cap");
  expect(verdict).toMatchObject({
    status: "not-claimed",
    reason: "the host counts nothing",
    broken: [],
  });
});

test("a clause that a subject disclaims but keeps is broken", async () => {
  const [verdict] = await all(
    { ...acme, notClaimed: { "stop.cap": "the host counts nothing" } },
    "stop.cap",
  );
  expect(verdict?.status).toBe("broken");
  expect(verdict && report(verdict)).toContain("remove it from notClaimed");
});

test("an unknown clause cannot be disclaimed", async () => {
  await expect(all({ ...acme, notClaimed: { "stop.nothing": "why not" } })).rejects.toThrow(
    'unknown clause "stop.nothing"',
  );
});

test("a clause without a check is broken", async () => {
  const [verdict] = await all({ ...acme, wire: { ...acme.wire, nativeStops: {} } }, "turn.usage");
  expect(verdict).toMatchObject({ status: "broken", checks: 0 });
});

test("a clause that needs what the wire lacks is not asked, with the reason", async () => {
  const { errors: _, ...wire } = acme.wire;
  const [verdict] = await all({ ...acme, wire }, "error.in-band");
  expect(verdict).toMatchObject({
    status: "not-asked",
    reason: "the wire has no error inside a reply",
  });
});

test("a report has the rule, the expected and the actual result, and the bytes", async () => {
  const [verdict] = await all(broken("runs calls without a terminal"), "stop.cut");
  const text = verdict === undefined ? "" : report(verdict);
  expect(text).toContain(clauses.find(({ id }) => id === "stop.cut")?.rule);
  expect(text).toMatch(
    /at +one call, cut after \d+ of \d+ bytes\n +expected +interrupted, runs nothing\n +actual +tool-use, runs read \{.*\}\n +reply +data: /,
  );
});

test.runIf(isFull)("exhaustive tries every byte", async () => {
  let checks = 0;
  for await (const verdict of judge(acme, { only: "stop.cut", exhaustive: true }))
    checks = verdict.checks;
  const few = (await all(acme, "stop.cut"))[0]?.checks ?? 0;
  expect(checks).toBeGreaterThan(10 * few);
});

test.each([1, 2, 3])("a sound adapter keeps every clause with a sample of %d", async (sample) => {
  for await (const verdict of judge(acme, { sample }))
    expect(verdict.broken, report(verdict)).toEqual([]);
});

const newest: readonly (readonly [object, string])[] = [
  [Map, "groupBy"],
  [Promise, "withResolvers"],
];
test.each(newest)("a runtime without %o.%s gets one sentence", async (holder, name) => {
  const kept = Object.getOwnPropertyDescriptor(holder, name) as PropertyDescriptor;
  Reflect.deleteProperty(holder, name);
  try {
    const sentence = "The suite needs Node 22.12 or newer, and this is Node ";
    expect(() => conform(acme)).toThrow(sentence);
    expect(() => replays(acme)).toThrow(sentence);
    await expect(all(acme)).rejects.toThrow(sentence);
  } finally {
    Object.defineProperty(holder, name, kept);
  }
});

test("the tests of a subject say what to pass if they get nothing, or something else", () => {
  for (const given of [undefined, null, "acme", {}] as never[]) {
    expect(() => conform(given)).toThrow("`conform` needs a subject with a `wire`.");
    expect(() => replays(given)).toThrow("`replays` needs a subject with a `wire`.");
  }
  expect(() => journalConformance(undefined as never)).toThrow(
    "`journalConformance` needs a subject with `name` and `create`.",
  );
});
