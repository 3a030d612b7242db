import type { Check } from "../../harness/check.ts";
import { askTimed, compare, type TimedCheck, toolStep } from "../ask.ts";
import type { JournalClauseTable } from "../clause.ts";
import type { JournalTiming, OpenStore } from "../harness.ts";
import { closeHolder, ignore, onRejection } from "../mutants.ts";
import { endedWith, outcomeOf, readingOf } from "../outcomes.ts";
import { contest, contestCheck, waitLeases } from "./contention.ts";
import { result, run } from "./reading.ts";
import { others, takenKeys, withTakenRun } from "./taken-run.ts";

const rejectionOf = (outcome: string): string =>
  outcome.startsWith("rejects") ? "rejects" : outcome;

const checkLost = (store: OpenStore, timing: JournalTiming): Promise<readonly Check[]> =>
  withTakenRun(store, timing, async ({ lost, stopped, taken }) => {
    await taken.end(toolStep(takenKeys.ofOther), others);
    // These are the first things that it does, before it can notice what happened.
    const writes = [
      lost.begin(toolStep(takenKeys.afterLoss)),
      lost.end(toolStep(takenKeys.begun), result),
      lost.end(toolStep(takenKeys.ofOther), result),
    ].map(outcomeOf);
    stopped.resume();
    const [begin = "", end = "", overwrite = ""] = await Promise.all(writes);
    const still = await outcomeOf(taken.begin(toolStep(`${run}/2/1`)));
    await taken.close();
    const later = await store.open(run);
    const expected = "rejects";
    return [
      compare("begin", "`begin` of the connection that lost the run", expected, rejectionOf(begin)),
      compare("end", "`end` of a step that it began before", expected, rejectionOf(end)),
      compare(
        "overwrite",
        "`end` of a step of the other connection",
        expected,
        rejectionOf(overwrite),
      ),
      compare(
        "begin-recorded",
        "the step of that `begin`",
        "nothing recorded",
        await readingOf(later.read(takenKeys.afterLoss)),
      ),
      compare(
        "end-recorded",
        "the step of that `end`",
        "begun",
        await readingOf(later.read(takenKeys.begun)),
      ),
      compare(
        "overwrite-recorded",
        "the step of the other connection",
        endedWith(others),
        await readingOf(later.read(takenKeys.ofOther), others),
      ),
      {
        ...compare("other", "`begin` of the other connection after that", "resolves", still),
        mayBeLate: true,
      },
    ];
  });

const checkLateClose = (store: OpenStore, timing: JournalTiming): Promise<readonly TimedCheck[]> =>
  withTakenRun(store, timing, async ({ lost, stopped, taken }) => {
    // It gives the run back before it can notice what happened.
    const closing = outcomeOf(lost.close({ status: "done" }));
    stopped.resume();
    await closing;
    const other = await store.connect();
    const waitMs = store.leaseMs * waitLeases;
    const actual = await contest({ runId: run, held: taken, other, waitMs });
    const at = "the run of the second connection, after the first gave back what it had lost";
    return [contestCheck("held", at, actual)];
  });

/** Clauses about a connection that lost its run, and comes back. */
export const journalLostClauses: JournalClauseTable = {
  "journal.lost": {
    rule: "After another connection has taken the run, `begin` and `end` of the first reject and record nothing, and the run of the other goes on.",
    level: "must",
    references: {
      "pikkujs/pikku#1742":
        "an attempt whose lease had lapsed came back, and overwrote the result of the next one",
      "Altinn/altinn-studio#18506":
        "writes of a worker whose lease was gone could not be distinguished from those of its successor",
    },
    question: askTimed(checkLost),
    mutants: {
      "writes without a look at the lease": onRejection(
        "lost",
        ["begin", "end"],
        (_, repeat, { runId, store }) => repeat(store.holders.get(runId)),
      ),
      "hides that the store refused a write": onRejection("lost", ["begin", "end"], ignore),
    },
  },
  "journal.closed-late": {
    rule: "A process that lost its run and gives it back does not take it from the process that has it now.",
    level: "must",
    references: {
      "apache/superset#43462": "a holder whose time had lapsed removed the lock of the next one",
    },
    question: askTimed(checkLateClose),
    mutants: {
      "gives back the run, and not its own lease": closeHolder,
    },
  },
};
