import { fileURLToPath } from "node:url";
import { pythonToolchain } from "@tooling/field/python";
import { expect, test } from "vitest";
import { type ClientResult, tablesOf } from "../src/results.ts";
import { feed } from "../src/run.ts";

const readerFile = (name: string): string =>
  fileURLToPath(new URL(`readers/${name}.py`, import.meta.url));
const found = await pythonToolchain.find().catch(() => undefined);
if (found === undefined) process.stderr.write("tests/corpus: skipped, Python is missing.\n");

const files = ["naive", "strict", "crashing"].map(readerFile);
const results: readonly ClientResult[] = found ? await feed(found.program, files) : [];
const [naive, strict, crashing] = results;
const cutsOf = (result: ClientResult | undefined): Readonly<Record<string, number>> =>
  result?.cut["before the terminal"] ?? {};
const inputsCutOf = (result: ClientResult | undefined): Readonly<Record<string, number>> =>
  result?.cut["between two earlier events"] ?? {};

test.skipIf(found === undefined)("every reply of the protocol is fed to a reader", () => {
  expect(naive?.replies).toBeGreaterThan(50);
  for (const { replies, skipped, finished, unfinished } of results)
    expect((finished["replies"] ?? 0) + (unfinished["replies"] ?? 0) + skipped).toBe(replies);
  expect(strict?.skipped).toBeGreaterThan(0);
});

test.skipIf(found === undefined)("a reader that takes what came gives cut calls out", () => {
  const { replies = 0, "calls-finished": given = 0 } = cutsOf(naive);
  expect(replies).toBeGreaterThan(10);
  expect(given).toBeGreaterThan(replies / 2);
  expect(inputsCutOf(naive)["other-calls"]).toBeGreaterThan(replies);
});

test.skipIf(found === undefined)("a reader that demands the terminal gives none out", () => {
  for (const counts of Object.values(strict?.cut ?? {})) {
    expect(counts["replies"]).toBeGreaterThan(10);
    expect(counts["error"]).toBe(counts["replies"]);
  }
  expect(strict?.finished["as-expected"]).toBeGreaterThan(10);
});

test.skipIf(found === undefined)("an exception that is not the reader's own is a crash", () => {
  expect(cutsOf(crashing)["crash"]).toBe(cutsOf(crashing)["replies"]);
  expect(Object.keys(crashing?.exceptions ?? {})).toEqual(["KeyError (crash)"]);
});

test("the tables have a row for each client, place and exception", () => {
  const counts = { replies: 3, "as-expected": 1, crash: 2 };
  const text = tablesOf([
    {
      title: "`a`",
      protocol: "anthropic",
      replies: 6,
      skipped: 0,
      finished: counts,
      unfinished: { replies: 3, "calls-finished": 3 },
      cut: { "before the terminal": { replies: 1, "no-calls": 1 } },
      exceptions: { "KeyError (crash)": 2 },
    },
  ]);
  expect(text.split("\n")).toEqual(
    expect.arrayContaining([
      "| `a` | 3 | 1 | 0 | 0 | 2 |",
      "| `a` | 3 | 3 | 0 | 0 | 0 | 0 |",
      "| `a`: before the terminal | 1 | 0 | 0 | 1 | 0 | 0 | 0 |",
      "| `a`: KeyError (crash) | 2 |",
    ]),
  );
});
