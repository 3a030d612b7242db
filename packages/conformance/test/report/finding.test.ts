import { expect, test } from "vitest";
import { finding, type JudgeOptions, judge, type Verdict } from "../../src/index.ts";
import { smallLoop } from "../../src/loop/small-loop.ts";
import { describeFailures, formatBytes, hasFailures } from "../../src/report/index.ts";
import acme from "../acme.ts";
import { adapterMutants } from "../mutants.ts";

const mutant = adapterMutants.find(({ wrong }) => wrong === "runs calls without a terminal");
if (mutant === undefined) throw new Error("The mutant is missing.");
const careless = mutant.subject(acme);

async function verdictOf(options: JudgeOptions): Promise<Verdict> {
  for await (const verdict of judge(smallLoop(careless), options)) return verdict;
  throw new Error("no verdict");
}
const cut = await verdictOf({ only: "stop.cut" });
const ids = cut.broken.map(({ id }) => id);

test("each check of a loop has an id that occurs once, and the verdict lists all", () => {
  expect(cut.checkIds).toEqual(["cut-in-the-middle", "cut-before-end", "cut-last-byte"]);
  expect(ids.length).toBeGreaterThan(1);
  expect(describeFailures(cut)).toContain(`check     stop.cut/${ids[0]}`);
});

test("a listed check that breaks is expected, and another one makes the clause broken", () => {
  const [first = "", ...others] = ids.map(String);
  const found = finding(cut, { [first]: "until June" });
  expect(found.status).toBe("broken");
  expect(found.broken.map(({ id, expectedFailure }) => [id, expectedFailure])).toEqual([
    ...others.map((id) => [id, undefined]),
    [first, "until June"],
  ]);
  const all = finding(cut, Object.fromEntries(ids.map((id) => [id, "known"])));
  expect(all.status).toBe("expected-failure");
  expect(all.reason).toContain(`${first}: known`);
});

test("a listed check that does not break is stale, and says what was asked", () => {
  const listed = Object.fromEntries(ids.map((id) => [id, "known"]));
  const found = finding(cut, { ...listed, "cut-of": "a typing error" });
  expect(found.status).toBe("stale");
  expect(found.reason).toBe(
    "stop.cut/cut-of is listed as an expected failure, but was not judged: the checks that were are cut-in-the-middle, cut-before-end, cut-last-byte",
  );
  const kept: Verdict = { ...cut, status: "kept", broken: [] };
  expect(finding(kept, { "cut-last-byte": "known" })).toMatchObject({
    status: "stale",
    reason: "stop.cut/cut-last-byte is listed as an expected failure, but kept",
  });
});

test("a check of an adapter cannot be listed, and the reason says what can", async () => {
  for await (const verdict of judge(careless, { only: "stop.cut" })) {
    const found = finding(verdict, { "cut-last-byte": "known" });
    expect(found.status).toBe("broken");
    expect(found.reason).toBe(
      "stop.cut/cut-last-byte is listed as an expected failure, but its checks have no ids: list stop.cut instead",
    );
    expect(finding(verdict, "known").status).toBe("expected-failure");
  }
});

test("one check can be asked alone, and only its script runs", async () => {
  const runs: string[] = [];
  const only = `stop.cut/${ids[0]}`;
  const verdict = await verdictOf({ only, onRun: ({ id }) => runs.push(id) });
  expect(verdict).toMatchObject({ status: "broken", checks: 1, checkIds: [ids[0]] });
  expect(runs).toEqual(["one-call", ids[0]]);
});

test("an unknown check is an error with those that exist, and so is a check of an adapter", async () => {
  await expect(verdictOf({ only: "stop.cut/cut-of" })).rejects.toThrow(
    'stop.cut has no check "cut-of". It has cut-in-the-middle, cut-before-end, cut-last-byte.',
  );
  const asked = judge(careless, { only: "stop.cut/cut-last-byte" }).next();
  await expect(asked).rejects.toThrow("Name the clause: stop.cut.");
});

test("onRun gets each run once, with every request and its answer", async () => {
  const runs = new Map<string, number>();
  for await (const _ of judge(smallLoop(acme), {
    only: "stop",
    onRun: ({ id }, { exchanges }) => runs.set(id, (runs.get(id) ?? 0) + exchanges.length),
  }));
  expect(runs.get("one-call")).toBe(2);
  expect(runs.size).toBeGreaterThan(8);
});

test("damage comes first, before what is only known", () => {
  const check = { at: "a run", expected: "runs nothing", actual: "runs write {}" };
  const verdict: Verdict = {
    ...cut,
    broken: [
      { ...check, id: "a", severity: "ran" },
      { ...check, id: "b", severity: "damaged" },
      { ...check, id: "c", severity: "damaged" },
    ],
  };
  expect(finding(verdict, { b: "known" }).broken.map(({ id }) => id)).toEqual(["c", "a", "b"]);
});

test("JSON is indented, and a long text keeps its beginning, its end and the number between", () => {
  expect(formatBytes('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  const text = formatBytes(`begin${"x".repeat(5000)}end`);
  expect(text).toMatch(/^beginx+\n… 3,008 characters left out …\nx+end$/);
  expect(formatBytes("data: 1\n\n")).toBe("data: 1");
});

test("a broken must fails a report", () => {
  const subjects = [{ name: "one", wire: "w", findings: { "stop.cut": finding(cut) } }];
  expect(hasFailures({ suite: "0", at: "", clauses: [cut.clause], subjects })).toBe(true);
});
