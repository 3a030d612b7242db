import type { Check } from "../../harness/check.ts";
import { askTimed, compare, toolStep, unjudged } from "../ask.ts";
import type { JournalClauseTable } from "../clause.ts";
import type { OpenStore } from "../harness.ts";
import { failWith, ignore, onKind, onRejection } from "../mutants.ts";
import { endedWith, outcomeOf, rejectsWith } from "../outcomes.ts";
import { firstCall, readLater, result, run } from "./reading.ts";

async function checkBlocked(store: OpenStore): Promise<readonly Check[]> {
  const { block } = store;
  if (block === undefined)
    return [unjudged("begin", "a step that cannot be recorded", "the store has no `block`")];
  const lease = await store.open(run);
  await lease.begin(toolStep(firstCall));
  const unblock = await block();
  const writes = [lease.begin(toolStep(`${run}/1/2`)), lease.end(toolStep(firstCall), result)].map(
    outcomeOf,
  );
  const [begin = "", end = ""] = await Promise.all(writes).finally(unblock);
  await outcomeOf(lease.close());
  const next = await store.open(run);
  const later = await outcomeOf(next.end(toolStep(firstCall), result));
  await next.close();
  const expected = rejectsWith("unavailable");
  return [
    compare("begin", "`begin` while no step can be recorded", expected, begin),
    compare("end", "`end` while no step can be recorded", expected, end),
    compare(
      "later",
      "the step, after the next process recorded it",
      endedWith(result),
      later === "resolves" ? await readLater(store, firstCall, result) : later,
    ),
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
      "tries again for as long as its lease is renewed": onRejection(
        "unavailable",
        ["begin", "end"],
        async (_, repeat) => {
          const insist = (): Promise<void> => onKind("unavailable", repeat, insist);
          await insist();
        },
      ),
      "says that a step was recorded although it was not": onRejection(
        "unavailable",
        ["begin"],
        ignore,
      ),
      "rejects with the error of the database": onRejection(
        "unavailable",
        ["end"],
        failWith(() => new Error("no space left on device")),
      ),
    },
  },
};
