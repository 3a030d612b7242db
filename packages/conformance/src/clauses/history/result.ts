import type { Clause } from "../../clause.ts";
import { checkRuns } from "../../loop/checks.ts";
import type { RunHarness } from "../../loop/harness.ts";
import { describeCall } from "../../loop/runner.ts";
import { scripts } from "../../loop/scripts.ts";

const listed = (lines: readonly string[]): string =>
  lines.length === 0 ? "no result" : `the result of ${lines.toSorted().join(" and of ")}`;

export const result: Clause<RunHarness> = {
  id: "history.result",
  rule: "The request after a finished reply holds the result of every call of it that ran, each once.",
  level: "must",
  because:
    "hermes-agent#88324: 196 of 374 results were lost; claude-code#18947: results apart from their calls are a 400",
  ...checkRuns(scripts.whole, ({ script, ran }, { results }) => {
    const calls = script.expectedCalls.map(describeCall).filter((line) => ran.ran.includes(line));
    const expected = listed(calls);
    if (calls.length === 0) return { expected, actual: expected };
    const after = ran.requests[script.steps.length];
    const actual =
      after === undefined
        ? "no request after it"
        : listed(results(after).filter((line) => calls.includes(line)));
    return { expected, actual };
  }),
};
