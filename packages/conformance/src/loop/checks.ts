import type { Question } from "../clause.ts";
import { describeBytes } from "../harness/bytes.ts";
import { type Check, describeCall } from "../harness/check.ts";
import type { Effects, ObservedRun } from "../subject.ts";
import type { RunHarness, ScriptedRun } from "./harness.ts";
import type { Script, ScriptList } from "./script.ts";

/** What was expected of one run, and what was seen. */
export type RunFinding = Pick<
  Check,
  "expected" | "actual" | "bytes" | "bytesOf" | "severity" | "notJudged" | "note"
>;

/** Nothing follows from a run. */
export const notJudged = (why: string): RunFinding => ({
  expected: "",
  actual: "",
  notJudged: why,
});

const describeTimes = (line: string, times: number): string =>
  times === 1 ? line : `${line} (${times} times)`;

export function describeRuns(lines: readonly string[]): string {
  if (lines.length === 0) return "runs nothing";
  const counted = [...Map.groupBy(lines.toSorted(), (line) => line)];
  return `runs ${counted.map(([line, all]) => describeTimes(line, all.length)).join(" and ")}`;
}

/** Everything that ran, on one line. */
export const describeObserved = ({ effects, requests }: ObservedRun): string =>
  requests.length === 0 ? "made no request" : describeRuns([...effects.calls, ...effects.damaged]);

/** How bad it is that a run had effects beside those of `expected`, lines of `describeCall`. */
export function severityOf(
  { calls, damaged }: Effects,
  expected: readonly string[],
): "damaged" | "ran" | undefined {
  if (damaged.length > 0) return "damaged";
  return calls.length > expected.length || calls.some((line) => !expected.includes(line))
    ? "ran"
    : undefined;
}

/** A run of a letter text that is longer than this is too long for a report. */
const shortenRuns = (text: string): string =>
  text.replaceAll(
    /[a-j]{200,}/g,
    (run) => `${run.slice(0, 20)}… (${run.length.toLocaleString("en-US")} characters)`,
  );

function toCheck(
  script: Script,
  { exchanges, output, source }: ScriptedRun,
  finding: RunFinding,
): Check {
  const { severity, ...compared } = finding;
  const check = { at: script.name, id: script.id, ...compared };
  if (check.expected === check.actual) return check;
  const [expected, actual] = [shortenRuns(check.expected), shortenRuns(check.actual)] as const;
  const bytes = exchanges[0]?.answer.chunks.map(describeBytes).join("") ?? "";
  return {
    bytes,
    bytesOf: "reply",
    ...check,
    ...(expected !== actual && { expected, actual }),
    ...(severity && { severity }),
    ...(source && { source }),
    ...(output && { output }),
  };
}

/** Why a protocol cannot send any reply of a list to these requests. */
function whyNoScript(list: ScriptList, context: RunHarness): string {
  if (list({ ...context, streams: true }).length > 0)
    return "its requests do not stream, and the protocol sends this only in a stream";
  if (list({ ...context, cap: 1024 }).length > 0)
    return "its requests name no output cap, so no reply reaches it";
  return "the protocol has no such reply";
}

/** Runs each script, several at a time if the harness allows it, and makes a check of each run. */
export const checkRuns = (
  list: ScriptList,
  find: (script: Script, run: ScriptedRun, harness: RunHarness) => RunFinding | Promise<RunFinding>,
): Question<RunHarness> => ({
  whyNotAsked: (harness) =>
    list(harness).length > 0 ? undefined : (list.whyEmpty?.(harness) ?? whyNoScript(list, harness)),
  checkIds: (context) => list(context).map(({ id }) => id),
  async *check(harness) {
    const running = list(harness)
      .filter(({ id }) => harness.checkId === undefined || harness.checkId === id)
      .map((script) => ({ script, run: harness.run(script) }));
    for (const { script, run } of running) {
      const finished = await run;
      yield toCheck(script, finished, await find(script, finished, harness));
    }
  },
});

/** Whether a run ran the expected calls, and no others. */
function findRuns({ expectedCalls }: Script, run: ScriptedRun): RunFinding {
  const calls = expectedCalls.map(describeCall);
  const expected = describeRuns(calls);
  const actual = describeObserved(run);
  const severity = severityOf(run.effects, calls);
  const diedOfIt = run.exception && calls.length === 0 && actual === expected;
  return {
    expected,
    actual,
    ...(severity && { severity }),
    ...(diedOfIt && { note: "nothing ran, and the program ended with an exception" }),
  };
}

/** Whether the expected calls ran at most once, and no others. */
export function findSecondRun({ expectedCalls }: Script, run: ScriptedRun): RunFinding {
  const calls = expectedCalls.map(describeCall);
  const expected = `${describeRuns(calls)} at most once`;
  const severity = severityOf(run.effects, calls);
  return severity === undefined
    ? { expected, actual: expected }
    : { expected, actual: describeObserved(run), severity };
}

/**
 * Each script runs its expected calls, and no others. If nothing ran, the run is not judged for a
 * subject that does not run such calls of a finished reply either.
 */
export const expectOnlyRuns = (list: ScriptList): Question<RunHarness> =>
  checkRuns(list, async (script, run, harness) => {
    const finding = findRuns(script, run);
    const { premise } = script;
    if (premise === undefined || finding.expected !== finding.actual) return finding;
    const { expected, actual } = findRuns(premise, await harness.run(premise));
    return expected === actual
      ? finding
      : notJudged(`it does not do what it must after ${premise.name} of a finished reply`);
  });

/** No call runs more often than the script expects: a program may also refuse such a reply. */
export const expectNoMoreRuns = (list: ScriptList): Question<RunHarness> =>
  checkRuns(list, (script, run, { whyNotCounted }) => {
    const finding = findRuns(script, run);
    if (finding.severity !== undefined) return finding;
    return script.expectedCalls.length > 0 && whyNotCounted !== undefined
      ? notJudged(whyNotCounted)
      : { ...finding, actual: finding.expected };
  });
