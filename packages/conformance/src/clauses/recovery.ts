import type { ClauseTable } from "../clause.ts";
import { tryParseJson } from "../harness/json.ts";
import {
  checkRuns,
  expectOnlyRuns,
  findSecondRun,
  notJudged,
  type RunFinding,
} from "../loop/checks.ts";
import { maxRequests, type RunHarness, type ScriptedRun } from "../loop/harness.ts";
import {
  brokenThenComplete,
  endlessCalls,
  endlessCutCalls,
  endlessCuts,
  failedRequests,
  leakedCalls,
} from "../loop/recovery-scripts.ts";
import type { Script } from "../loop/script.ts";
import { allScripts } from "../loop/scripts.ts";
import { loopThat, smallLoop } from "../loop/small-loop.ts";

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

/** A subject that makes calls of texts does not end with the markup, but it is another question. */
function expectNoLeakAsAnswer({ requests, effects, exception }: ScriptedRun): RunFinding {
  const expected = "does not end with the markup as its answer";
  if (effects.calls.length > 0) return notJudged("it runs calls that are written as text");
  const goesOn = requests.length > 1 || exception === true;
  return { expected, actual: goesOn ? expected : "ends with the markup as its answer" };
}

function findCallWithTwoResults(
  { requests }: ScriptedRun,
  { wire, calls }: RunHarness,
): string | undefined {
  for (const { body } of requests) {
    const answered = wire.agent?.results(tryParseJson(body)).map(({ call }) => call) ?? [];
    const twice = answered.find((id, index) => answered.indexOf(id) < index);
    if (calls.some(({ id }) => twice?.startsWith(id))) return twice;
  }
  return undefined;
}

/** At most the expected call ran, and at most once: a subject may also give up. */
function expectOnce(script: Script, run: ScriptedRun, harness: RunHarness): RunFinding {
  if (run.playedSteps < script.steps.length)
    return notJudged("it did not ask again after the connection broke");
  const finding = findSecondRun(script, run);
  if (finding.severity !== undefined) return finding;
  const twice = findCallWithTwoResults(run, harness);
  if (twice !== undefined) return { ...finding, actual: `sends two results of the call ${twice}` };
  const [call] = harness.calls;
  const mustCount = script.expectedCalls.includes(call);
  return mustCount && harness.whyNotCounted !== undefined
    ? notJudged(harness.whyNotCounted)
    : finding;
}

/** Clauses about what a run does after a reply that did not help. */
export const recoveryClauses: ClauseTable = {
  "recovery.bounded": {
    rule: `A call that is cut at the cap again and again is given up within ${maxRequests} requests.`,
    // The number is the suite's own: other systems set limits of 50 or more.
    level: "should",
    references: {
      "LibreChat-AI/agents#280":
        "calls that were cut at the cap were requested again up to the limit of the run",
      "mattmezza/humux#77": "a cap that was not requested, and thirty loops",
      "nibor1896/Crow#203": "42 times the same cut, 476,000 tokens",
    },
    loop: checkRuns(endlessCutCalls, (_, run) => expectBounded(run)),
    loopMutants: {
      "raises the cap without end": loopThat({
        maxRequests: Number.POSITIVE_INFINITY,
        raisedCap: (cap) => cap + 1,
      }),
    },
  },
  "recovery.circle": {
    rule: `A model that makes the same call with the same result again and again is stopped within ${maxRequests} requests.`,
    level: "should",
    references: {
      "Kilo-Org/kilocode#13772": "3,673 steps and $626 in one session",
      "openclaw/openclaw#17118": "1,535 calls",
    },
    loop: checkRuns(endlessCalls, (_, run) => expectBounded(run)),
    loopMutants: { "does not count turns": loopThat({ maxRequests: Number.POSITIVE_INFINITY }) },
  },
  "recovery.ends": {
    rule: "Every run ends, even after an unexpected reply.",
    // The pages of the vendors say what ends a reply, and nothing about the end of a run.
    level: "should",
    references: {
      "mastra-ai/mastra#14187, earendil-works/pi#9681": "after an unexpected reply the run hangs",
    },
    loop: checkRuns(allScripts, (_, { timeout, endedBySuite }) =>
      endedBySuite === undefined
        ? { expected: "ended", actual: timeout ?? "ended" }
        : notJudged(endedBySuite),
    ),
    loopMutants: {
      "waits for something that never comes after a request failed": (sound) => ({
        ...smallLoop(sound, { afterFailure: () => new Promise(() => undefined) }),
        timeoutMs: 500,
      }),
    },
  },
  "recovery.failures": {
    rule: "A call that ran does not run again because a later request failed.",
    references: {
      "agentarea/agentarea#320": "a retry of the whole step ran the shell again",
      "agno-agi/agno#10366": "a run whose tool had succeeded was repeated from its beginning",
      "microsoft/agent-framework#3938": "209 of 209 refunds were made twice",
    },
    forLoops: { pages: "errors" },
    loop: expectOnlyRuns(failedRequests),
    loopMutants: {
      "starts the step again when a request fails, with its calls": loopThat({
        afterFailure: async (executeAgain) => executeAgain(),
      }),
    },
  },
  "recovery.leaked": {
    rule: "A finished text that ends in a call of an offered tool is not taken as the answer: the next request comes, or the run reports that it failed.",
    // A loop may leave it to the person to see the markup.
    level: "should",
    references: {
      "anthropics/claude-code#72180":
        "the run ends with the markup as its answer, and the client does not detect it",
      "NousResearch/hermes-agent#15347":
        "a summary of work that no tool did; it is found and asked again now",
      "TokenRhythm/opensquilla#985": "four commands were shown, and none ran",
    },
    loop: checkRuns(leakedCalls, (_, run) => expectNoLeakAsAnswer(run)),
    loopMutants: { "takes the markup as the answer": loopThat({ takesLeakedCalls: true }) },
  },
  "recovery.once": {
    rule: "If the connection breaks behind a whole call and the request is sent again, only the call of the retry's reply runs, and it runs once: not the call of the reply that broke off as well. The next request holds one result of it.",
    references: {
      "dyad-sh/dyad#2851":
        "retrying the stream after a transient connection error runs tools again that had already run",
      "google-gemini/gemini-cli#28004": "two results for one completed shell call",
      "agentarea/agentarea#320": "a retry of the whole step ran the shell again",
    },
    forLoops: { pages: "results" },
    loop: checkRuns(brokenThenComplete, expectOnce),
    loopMutants: {
      "runs the call of a reply that broke off, and asks again": loopThat({
        afterFailure: async (_, executeWithheld) => executeWithheld(),
      }),
    },
  },
  "recovery.repeats": {
    rule: "A request whose reply was cut at the cap is never sent again unchanged: the next one has a larger cap, or a message about the cut.",
    // A second try may fit: a model does not always write the same. `recovery.bounded` asks the rest.
    level: "should",
    references: {
      "OpenRouterTeam/typescript-agent#125":
        "each turn that was cut cost one more generation with the same budget",
      "devops-thiago/ThrillhouseBot#492, iaminfadel/flowjob#120":
        "the cut is deterministic, so the same request only costs the same again",
    },
    forLoops: { pages: "stops" },
    loop: checkRuns(endlessCuts, (_, run) => expectNoRepeatedRequest(run)),
    loopMutants: {
      "sends the same request again after a cut at the cap": loopThat({ raisedCap: (cap) => cap }),
    },
  },
};
