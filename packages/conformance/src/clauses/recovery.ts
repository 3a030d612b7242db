import type { ClauseTable } from "../clause.ts";
import { checkRuns, expectOnlyRuns, type RunFinding } from "../loop/checks.ts";
import { maxRequests, type ScriptedRun } from "../loop/harness.ts";
import { scripts } from "../loop/scripts.ts";
import { smallLoop } from "../loop/small-loop.ts";

function expectBounded({ requests }: ScriptedRun): RunFinding {
  const expected = `at most ${maxRequests} requests`;
  const isBounded = requests.length <= maxRequests;
  return { expected, actual: isBounded ? expected : `not within ${maxRequests} requests` };
}

function expectNoRepeatedRequest({ requests }: ScriptedRun): RunFinding {
  const expected = "every request differs";
  const bodies = requests.map(({ body }) => body);
  const repeated = bodies.findIndex((body, index) => bodies.indexOf(body) < index);
  if (repeated < 0) return { expected, actual: expected };
  const first = bodies.indexOf(bodies[repeated] ?? "");
  const actual = `request ${repeated + 1} of ${bodies.length} is the same as request ${first + 1}`;
  return { expected, actual };
}

/** Clauses about what a run does after a reply that did not help. */
export const recoveryClauses: ClauseTable = {
  "recovery.bounded": {
    rule: `A call that is cut at the cap again and again is given up within ${maxRequests} requests.`,
    // The number is the suite's own: other systems set limits of 50 or more.
    level: "should",
    references: [
      { issue: "mattmezza/humux#77", note: "a cap that was not requested, and thirty loops" },
      { issue: "nibor1896/Crow#203", note: "42 times the same cut, 476,000 tokens" },
    ],
    loop: checkRuns(scripts.endlessCutCalls, (_, run) => expectBounded(run)),
    loopMutants: [
      {
        wrong: "raises the cap without end",
        subject: (sound) =>
          smallLoop(sound, {
            maxRequests: Number.POSITIVE_INFINITY,
            raisedCap: (cap) => cap + 1,
          }),
      },
    ],
  },
  "recovery.circle": {
    rule: `A model that makes the same call with the same result again and again is stopped within ${maxRequests} requests.`,
    level: "should",
    references: [
      { issue: "Kilo-Org/kilocode#13772", note: "3,673 steps and $626 in one session" },
      { issue: "openclaw/openclaw#17118", note: "1,535 calls" },
    ],
    loop: checkRuns(scripts.endlessCalls, (_, run) => expectBounded(run)),
    loopMutants: [
      {
        wrong: "does not count turns",
        subject: (sound) => smallLoop(sound, { maxRequests: Number.POSITIVE_INFINITY }),
      },
    ],
  },
  "recovery.ends": {
    rule: "Every run ends, even after an unexpected reply.",
    level: "must",
    references: [
      { issue: "mastra-ai/mastra#14187" },
      { issue: "earendil-works/pi#9681", note: "after an unexpected reply the run hangs" },
    ],
    loop: checkRuns(scripts.all, (_, { timeout }) => ({
      expected: "ended",
      actual: timeout ?? "ended",
    })),
    loopMutants: [
      {
        wrong: "waits for something that never comes after a request failed",
        subject: (sound) => ({
          ...smallLoop(sound, { afterFailure: () => new Promise(() => undefined) }),
          timeoutMs: 500,
        }),
      },
    ],
  },
  "recovery.failures": {
    rule: "A call that ran does not run again because a later request failed.",
    level: "must",
    references: [
      { issue: "agentarea/agentarea#320", note: "a retry of the whole step ran the shell again" },
      { issue: "microsoft/agent-framework#3938", note: "209 of 209 refunds were made twice" },
    ],
    loop: expectOnlyRuns(scripts.failedRequests),
    loopMutants: [
      {
        wrong: "starts the step again when a request fails, with its calls",
        subject: (sound) =>
          smallLoop(sound, { afterFailure: async (executeAgain) => executeAgain() }),
      },
    ],
  },
  "recovery.repeats": {
    rule: "A request whose reply was cut at the cap is never sent again unchanged: the next one has a larger cap, or a message about the cut.",
    level: "must",
    references: [
      { issue: "devops-thiago/ThrillhouseBot#492" },
      {
        issue: "iaminfadel/flowjob#120",
        note: "the cut is deterministic, so the same request only costs the same again",
      },
      {
        url: "https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons",
        note: "raise the cap, or continue the reply",
      },
    ],
    loop: checkRuns(scripts.endlessCuts, (_, run) => expectNoRepeatedRequest(run)),
    loopMutants: [
      {
        wrong: "sends the same request again after a cut at the cap",
        subject: (sound) => smallLoop(sound, { raisedCap: (cap) => cap }),
      },
    ],
  },
};
