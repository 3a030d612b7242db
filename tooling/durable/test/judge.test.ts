import { expect, test } from "vitest";
import { type Counts, faults, isSound, judgeRun, noCounts } from "../src/judge.ts";
import type { LogEvent, LogLine } from "../src/log.ts";

const idempotent = new Set(["file"]);
/** The lines of one run: the number of the worker, and what it did. */
const judge = (...events: readonly (readonly [number, LogEvent])[]): Counts =>
  judgeRun(
    events.map(([worker, event]): LogLine => ({ run: "r", worker: `r#${worker}`, ...event })),
    idempotent,
  );

const opened: LogEvent = { event: "opened" };
const began = (item: string, receipt: string): LogEvent => ({
  event: "effect-began",
  item,
  receipt,
});
const acknowledged = (item: string, result: string): LogEvent => ({
  event: "acknowledged",
  item,
  result,
});
const given = (item: string, result: string): LogEvent => ({ event: "given", item, result });
const settled = (settlement: "result" | "did-not-happen"): LogEvent => ({
  event: "settled",
  item: "card",
  settlement,
});
const conversation: LogEvent = { event: "conversation", problems: 0 };
const ended: LogEvent = { event: "ended", status: "done", text: "Done." };
const end = [
  [2, conversation],
  [2, ended],
] as const;

test("a run that was killed and continued has no fault", () => {
  const counts = judge(
    [1, opened],
    [1, began("card", "receipt 1")],
    [1, acknowledged("card", "receipt 1")],
    [1, began("box", "receipt 2")],
    [1, began("file", "receipt 3")],
    [2, opened],
    [2, { event: "doubted", item: "box" }],
    [2, began("file", "receipt 4")],
    [2, acknowledged("file", "receipt 4")],
    [2, given("card", "receipt 1")],
    [2, given("box", "unknown")],
    [2, given("file", "receipt 4")],
    ...end,
  );
  expect(counts).toEqual({ ...noCounts, doubts: 1, idempotent: 1 });
});

test("an effect that began in two processes was done twice", () => {
  const counts = judge(
    [1, opened],
    [1, began("card", "receipt 1")],
    [2, opened],
    [2, began("card", "receipt 2")],
    ...end,
  );
  expect(counts).toEqual({ ...noCounts, doubled: 1 });
});

test("a call that began after its result was recorded ran again, also if it is idempotent", () => {
  const first = [
    [1, opened],
    [1, began("file", "receipt 1")],
    [1, acknowledged("file", "receipt 1")],
  ] as const;
  const again = [2, began("file", "receipt 2")] as const;
  const last = [[2, given("file", "receipt 1")], ...end] as const;
  expect(judge(...first, [2, opened], again, ...last).repeated).toBe(1);
  // A process that had the run before the result was recorded could not know it.
  expect(judge([2, opened], ...first, again, ...last).repeated).toBe(0);
});

test("a process that takes the run again may repeat an idempotent call without a result", () => {
  const run = [1, began("file", "receipt 1")] as const;
  const last = [
    [1, acknowledged("file", "receipt 1")],
    [2, given("file", "receipt 1")],
  ] as const;
  // An engine tries again in the same process after the database was away.
  expect(judge([1, opened], run, [1, opened], run, ...last, ...end).repeated).toBe(0);
  expect(judge([1, opened], run, run, ...last, ...end).repeated).toBe(1);
});

test.each([
  ["was not given", [acknowledged("card", "receipt 1")]],
  ["is unknown to the model", [acknowledged("card", "receipt 1"), given("card", "unknown")]],
  ["changed", [given("card", "receipt 1"), given("card", "unknown")]],
  ["was recorded twice", [acknowledged("card", "receipt 1"), acknowledged("card", "error")]],
  ["comes from nowhere", [given("card", "receipt 9")]],
])("a result that %s is lost", (_, events) => {
  const counts = judge(
    [1, began("card", "receipt 1")],
    ...events.map((event) => [2, event] as const),
    ...end,
  );
  expect(counts).toEqual({ ...noCounts, lost: 1 });
});

test("a settled call needs exactly one effect, unless it cannot run any more", () => {
  const run = [2, began("card", "receipt 1")] as const;
  expect(judge([2, settled("did-not-happen")], run, ...end).missettled).toBe(0);
  expect(judge(run, [2, settled("result")], ...end).missettled).toBe(0);
  expect(judge([2, settled("did-not-happen")], ...end).missettled).toBe(1);
  expect(judge(run, [2, settled("did-not-happen")], run, ...end).missettled).toBe(1);
  expect(
    judge([2, settled("did-not-happen")], [2, given("card", "error")], ...end).missettled,
  ).toBe(0);
});

test.each([
  ["nothing", []],
  ["another status", [conversation, { ...ended, status: "failed" }]],
  ["another text", [conversation, { ...ended, text: "Too far." }]],
  ["a conversation with problems", [{ ...conversation, problems: 1 }, ended]],
] as const)("a run whose log ends with %s did not end", (_, events) => {
  const counts = judge([1, opened], ...events.map((event) => [1, event as LogEvent] as const));
  expect(counts).toEqual({ ...noCounts, unended: 1 });
});

test("each fault makes a row unsound, and doubts do not", () => {
  for (const fault of faults) expect(isSound({ ...noCounts, [fault]: 1 })).toBe(false);
  expect(isSound({ ...noCounts, doubts: 5, settled: 2, idempotent: 3 })).toBe(true);
});
