import type { ClauseTable } from "../clause.ts";
import { describeCall } from "../harness/check.ts";
import { checkRuns, findSecondRun, notJudged, type RunFinding } from "../loop/checks.ts";
import { withHistory } from "../loop/conversation.ts";
import type { RunHarness, ScriptedRun } from "../loop/harness.ts";
import { untilNativeResult } from "../loop/recovery-scripts.ts";
import type { Script } from "../loop/script.ts";
import { loopThat } from "../loop/small-loop.ts";
import { completeReplies } from "../loop/stop-scripts.ts";
import { onlyForCalls } from "../loop/text-inputs.ts";

const listResults = (calls: readonly string[]): string =>
  calls.length === 0 ? "no result" : `the result of ${calls.toSorted().join(" and of ")}`;

function expectEveryResult(
  { expectedCalls, steps }: Script,
  { effects, joined }: ScriptedRun,
  { results }: RunHarness,
): RunFinding {
  const calls = expectedCalls.map(describeCall).filter((call) => effects.calls.includes(call));
  const expected = listResults(calls);
  if (calls.length === 0) return { expected, actual: expected };
  const next = joined[steps.length];
  if (next === undefined) return { expected, actual: "no request after it" };
  const found = results(withHistory(next));
  return { expected, actual: listResults(found.filter((call) => calls.includes(call))) };
}

/** The call ran at most once, and no request came that lacked its result. */
function expectNoSecondCall(
  script: Script,
  run: ScriptedRun,
  { whyNotCounted }: RunHarness,
): RunFinding {
  const finding = findSecondRun(script, run);
  return finding.severity === undefined && run.playedSteps > 1 && whyNotCounted !== undefined
    ? notJudged(whyNotCounted)
    : finding;
}

export const historyClauses: ClauseTable = {
  "history.result": {
    rule: "The request after a finished reply holds the result of every call of the reply that ran, each once.",
    references: {
      "NousResearch/hermes-agent#88324": "196 of 374 results were lost",
      "anthropics/claude-code#18947": "results apart from their calls are a 400",
    },
    forLoops: { pages: "results" },
    loop: checkRuns(onlyForCalls(completeReplies), expectEveryResult),
    loopMutants: {
      "loses all results of a turn except the first": loopThat({
        history: ({ message }, results) => [
          ...(message === undefined ? [] : [message]),
          { role: "tool", content: results.slice(0, 1) },
        ],
      }),
    },
  },
  "history.native": {
    rule: "The result of a call goes back as the protocol's own result, not as a text: a model that repeats its call until a request has its result makes it once.",
    references: {
      "BigPizzaV3/CodexPlusPlus#1748":
        "the next request had a text instead of the call and its result, and the model made the same call every few seconds",
    },
    forLoops: { pages: "results" },
    loop: checkRuns(untilNativeResult, expectNoSecondCall),
    loopMutants: {
      "writes calls and results into texts": loopThat({
        history: ({ calls }, results) => [
          { role: "assistant", content: [{ type: "text", text: `I call ${calls[0]?.name}.` }] },
          { role: "user", content: results.map(({ content }) => String(content)).join("\n") },
        ],
      }),
    },
  },
};
