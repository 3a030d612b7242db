import type { Check } from "../../harness/check.ts";
import {
  askStore,
  checkLater,
  checkReading,
  compare,
  firstCall,
  type JournalClauseTable,
  result,
  run,
  toolStep,
} from "../ask.ts";
import type { OpenStore } from "../harness.ts";
import { alterLeases } from "../mutants.ts";
import { begun, outcomeOf } from "../outcomes.ts";

async function checkRepeated(store: OpenStore): Promise<readonly Check[]> {
  const expected = "resolves";
  const first = await store.open(run);
  await first.begin(toolStep(firstCall));
  const beginTwice = await outcomeOf(first.begin(toolStep(firstCall)));
  await first.close();
  const second = await store.open(run);
  const beginAgain = await outcomeOf(second.begin(toolStep(firstCall)));
  await second.end(toolStep(firstCall), result);
  const endTwice = await outcomeOf(second.end(toolStep(firstCall), result));
  await second.close();
  return [
    compare("begin", "the same `begin` again", expected, beginTwice),
    compare(
      "begin-later",
      "`begin` of a step that began under an earlier lease: an idempotent tool runs again",
      expected,
      beginAgain,
    ),
    compare("end", "the same `end` again", expected, endTwice),
    await checkLater(store, "read", "the step, through another connection", [firstCall, result]),
  ];
}

/** Calls of one reply that run at the same time. */
const parallelCalls = 40;

async function checkParallel(store: OpenStore): Promise<readonly Check[]> {
  const keys = Array.from({ length: parallelCalls }, (_, index) => `${run}/1/${index + 1}`);
  const textOf = (key: string): string => JSON.stringify({ key });
  const lease = await store.open(run);
  const ended = keys.filter((_, index) => index % 2 === 0);
  const works = keys.map(async (key) => {
    await lease.begin(toolStep(key));
    if (ended.includes(key)) await lease.end(toolStep(key), textOf(key));
  });
  const outcomes = await Promise.all(works.map(outcomeOf));
  await lease.close();
  const later = await store.open(run);
  const wrong: string[] = [];
  for (const key of keys) {
    const recorded = ended.includes(key) ? textOf(key) : begun;
    const { expected, actual } = await checkReading(later, key, key, [key, recorded]);
    if (actual !== expected) wrong.push(`${key}: ${actual} instead of ${expected}`);
  }
  await later.close();
  const failed = outcomes.find((outcome) => outcome !== "resolves");
  const kept = "each as it was recorded";
  const at = `${parallelCalls} calls at the same time, every second of which ended`;
  return [
    compare("writes", at, "resolves", failed ?? "resolves"),
    compare("kept", `${at}, through another connection`, kept, wrong.join("; ") || kept),
  ];
}

/** Clauses about writes that are repeated, and about those at the same time. */
export const journalWriteClauses: JournalClauseTable = {
  "journal.repeated": {
    rule: "The same `begin` or `end` again changes nothing and is not an error: the answer to the first may have been lost.",
    references: {
      "apache/kyuubi#7720":
        "the answer to an insert was lost, and its repetition failed for a duplicate key and blocked everything behind it",
    },
    question: askStore(checkRepeated),
    mutants: {
      "rejects a step that it holds already": alterLeases(({ lease }) => {
        const assertNew = async (key: string, state: string): Promise<void> => {
          if ((await lease.read(key))?.state === state) throw new Error("duplicate key");
        };
        return {
          begin: async (step) => {
            await assertNew(step.key, "begun");
            await lease.begin(step);
          },
          end: async (step, json) => {
            await assertNew(step.key, "ended");
            await lease.end(step, json);
          },
        };
      }),
      "adds the text of a second end to the first": alterLeases(({ lease }) => ({
        end: async (step, json) => {
          const before = await lease.read(step.key);
          await lease.end(step, before?.state === "ended" ? before.json + json : json);
        },
      })),
    },
  },
  "journal.parallel": {
    rule: "The calls of a reply run at the same time. Each beginning and each end is kept, in any order.",
    references: {
      "langchain-ai/langgraph#8115":
        "writes at the same time read the same state and replaced it, and all but the last were lost",
    },
    question: askStore(checkParallel),
    mutants: {
      "loses a write that starts during another": alterLeases(({ lease }) => {
        let writing = 0;
        const alone = async (write: () => Promise<void>): Promise<void> => {
          writing++;
          try {
            if (writing === 1) await write();
          } finally {
            writing--;
          }
        };
        return {
          begin: (step) => alone(() => lease.begin(step)),
          end: (step, json) => alone(() => lease.end(step, json)),
        };
      }),
    },
  },
};
