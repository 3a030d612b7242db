import type { Check } from "../../harness/check.ts";
import { askTimed, toolStep, unjudged } from "../ask.ts";
import type { JournalClauseTable } from "../clause.ts";
import type { OpenStore } from "../harness.ts";
import { alterLeases, onKind } from "../mutants.ts";
import { endedWith, outcomeOf, rejectsWith } from "../outcomes.ts";
import { firstCall, readLater, result, run } from "./reading.ts";

async function checkBlocked(store: OpenStore): Promise<readonly Check[]> {
  const { block } = store;
  if (block === undefined)
    return [unjudged("begin", "a step that cannot be recorded", "the store has no `block`")];
  const lease = await (await store.connect()).open(run);
  await lease.begin(toolStep(firstCall));
  const unblock = await block();
  const writes = [lease.begin(toolStep(`${run}/1/2`)), lease.end(toolStep(firstCall), result)].map(
    outcomeOf,
  );
  const [begin = "", end = ""] = await Promise.all(writes).finally(unblock);
  await outcomeOf(lease.close());
  const next = await (await store.connect()).open(run);
  const later = await outcomeOf(next.end(toolStep(firstCall), result));
  await next.close();
  const expected = rejectsWith("unavailable");
  return [
    { id: "begin", at: "`begin` while no step can be recorded", expected, actual: begin },
    { id: "end", at: "`end` while no step can be recorded", expected, actual: end },
    {
      id: "later",
      at: "the step, after the next process recorded it",
      expected: endedWith(result),
      actual: later === "resolves" ? await readLater(store, firstCall, result) : later,
    },
  ];
}

/** Clauses about a store that records nothing for a time. */
export const journalBlockedClauses: JournalClauseTable = {
  "journal.blocked": {
    rule: "If no step can be recorded, such as behind a lock or on a full disk, `begin` and `end` reject with an error of the kind `unavailable` after a limited time, however often the lease is renewed.",
    level: "must",
    references: {
      "langflow-ai/langflow#13202":
        "a lock without a limit of time blocked each worker without an end and without a message",
      "https://www.postgresql.org/docs/current/runtime-config-client.html":
        "by default `lock_timeout` is 0: a statement waits for a lock without a limit",
    },
    question: askTimed(checkBlocked),
    mutants: {
      "tries again for as long as its lease is renewed": alterLeases(({ lease }) => {
        const insist = async (write: () => Promise<void>): Promise<void> => {
          await onKind("unavailable", write, () => insist(write));
        };
        return {
          begin: (step) => insist(() => lease.begin(step)),
          end: (step, json) => insist(() => lease.end(step, json)),
        };
      }),
      "says that a step was recorded although it was not": alterLeases(({ lease }) => ({
        begin: (step) =>
          onKind(
            "unavailable",
            () => lease.begin(step),
            async () => undefined,
          ),
      })),
      "rejects with the error of the database": alterLeases(({ lease }) => ({
        end: (step, json) =>
          onKind(
            "unavailable",
            () => lease.end(step, json),
            async () => {
              throw new Error("no space left on device");
            },
          ),
      })),
    },
  },
};
