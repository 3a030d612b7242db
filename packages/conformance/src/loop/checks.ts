import type { Check, Question } from "../clause.ts";
import type { RunHarness, ScriptedRun } from "./harness.ts";
import { describeCall, type ObservedRun } from "./runner.ts";
import type { ScriptList, Script } from "./scripts.ts";

/** A script, and the run of it. */
export interface Played {
  readonly script: Script;
  readonly ran: ScriptedRun;
}

/** What ran, in one line. */
export const describeRuns = (lines: readonly string[]): string =>
  lines.length === 0 ? "runs nothing" : `runs ${lines.toSorted().join(" and ")}`;

const describeObserved = ({ ran, requests }: ObservedRun): string =>
  requests.length === 0 ? "made no request" : describeRuns(ran);

/** What a clause says of one run. */
export type RunFinding = Pick<Check, "expected" | "actual" | "bytes">;

function checkOf({ script, ran: { firstReply: said, output } }: Played, found: RunFinding): Check {
  const check = { at: script.name, ...found };
  if (check.expected === check.actual) return check;
  return { bytes: said, ...check, ...(output && { output }) };
}

/** Asks each script, at the same time where the harness may, and says of each run what `find` says. */
export const checkRuns = (
  list: ScriptList,
  find: (played: Played, harness: RunHarness) => RunFinding,
): Question<RunHarness> => ({
  whyNotAsked: (harness) =>
    list(harness).length > 0
      ? undefined
      : `the protocol cannot say it to requests that ${harness.streams ? "stream" : "do not stream"} and name ${harness.cap === undefined ? "no" : "a"} cap`,
  async *check(harness) {
    const running = list(harness).map((script) => ({ script, run: harness.run(script) }));
    for (const { script, run } of running) {
      const played = { script, ran: await run };
      yield checkOf(played, find(played, harness));
    }
  },
});

/** Each script runs what it must, and nothing else. */
export const expectOnlyRuns = (list: ScriptList): Question<RunHarness> =>
  checkRuns(list, ({ script, ran }) => ({
    expected: describeRuns(script.expectedCalls.map(describeCall)),
    actual: describeObserved(ran),
  }));
