import type { Question } from "../clause.ts";
import { describeBytes } from "../harness/bytes.ts";
import { type Check, describeCall } from "../harness/check.ts";
import { isObject, nestedValues } from "../harness/json.ts";
import type { Effects, ObservedRun } from "../subject.ts";
import type { ReplyCall, Wire } from "../wire.ts";
import type { RunHarness, ScriptedRun } from "./harness.ts";
import { inputTextOf, type Script, type ScriptList } from "./script.ts";

/** What was expected of one run, and what was seen. */
export type RunFinding = Pick<
  Check,
  "expected" | "actual" | "bytes" | "bytesOf" | "severity" | "notJudged"
>;

/** Nothing follows from a run. */
export const notJudged = (why: string): RunFinding => ({
  expected: "",
  actual: "",
  notJudged: why,
});

const describeTimes = (line: string, times: number): string =>
  times === 1 ? line : `${line} (${times} times)`;

/** What ran, on one line. */
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

function toCheck(
  script: Script,
  { exchanges, output, source }: ScriptedRun,
  finding: RunFinding,
): Check {
  const { severity, ...compared } = finding;
  const check = { at: script.name, id: script.id, ...compared };
  if (check.expected === check.actual) return check;
  const bytes = exchanges[0]?.answer.chunks.map(describeBytes).join("") ?? "";
  return {
    bytes,
    bytesOf: "reply",
    ...check,
    ...(severity && { severity }),
    ...(source && { source }),
    ...(output && { output }),
  };
}

/** Runs each script, several at a time if the harness allows it, and makes a check of each run. */
export const checkRuns = (
  list: ScriptList,
  find: (script: Script, run: ScriptedRun, harness: RunHarness) => RunFinding,
): Question<RunHarness> => ({
  whyNotAsked: (harness) =>
    list(harness).length > 0
      ? undefined
      : (list.whyEmpty?.(harness) ??
        `the protocol cannot send this to requests that ${harness.streams ? "stream" : "do not stream"} and name ${harness.cap === undefined ? "no" : "a"} cap`),
  proofs: (context) => list(context).map(({ id }) => id),
  async *check(harness) {
    const running = list(harness)
      .filter(({ id }) => harness.proof === undefined || harness.proof === id)
      .map((script) => ({ script, run: harness.run(script) }));
    for (const { script, run } of running) {
      const finished = await run;
      yield toCheck(script, finished, find(script, finished, harness));
    }
  },
});

/** Each script runs its expected calls, and no others. */
export const expectOnlyRuns = (list: ScriptList): Question<RunHarness> =>
  checkRuns(list, ({ expectedCalls }, run) => {
    const expected = expectedCalls.map(describeCall);
    const severity = severityOf(run.effects, expected);
    return {
      expected: describeRuns(expected),
      actual: describeObserved(run),
      ...(severity && { severity }),
    };
  });

/** Whether a request holds a call that did not run, without a result beside it that says so. */
export function holdsOpenCall({ agent }: Wire, body: unknown, call: ReplyCall): boolean {
  const isAnswered = agent
    ?.results(body)
    .some((result) => result.call === call.name || result.call.startsWith(call.id));
  return holdsCall(body, call) && !isAnswered;
}

/** Whether it is the id of the call, or of the same call in the reply to a retry. */
const isIdOf = ({ id }: ReplyCall, text: string): boolean =>
  text === id || text.startsWith(`${id}_`);

/**
 * Whether a request holds a call or the beginning of one: its id, or its input as text or as JSON.
 */
function holdsCall(body: unknown, call: ReplyCall): boolean {
  const { input } = call;
  const beginning = inputTextOf(call).slice(0, 20);
  const [[key, value] = []] = Object.entries(input);
  for (const part of nestedValues(body)) {
    if (typeof part === "string" && (isIdOf(call, part) || part.startsWith(beginning))) return true;
    if (key !== undefined && isObject(part) && part[key] === value) return true;
  }
  return false;
}
