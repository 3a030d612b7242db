import type { Check } from "../../harness/check.ts";
import { askStore, compare, toolStep, unjudged } from "../ask.ts";
import type { JournalClauseTable } from "../clause.ts";
import type { OpenStore } from "../harness.ts";
import { failWith, ignore, lostError, neverLost, onRejection } from "../mutants.ts";
import { kindOfError, outcomeOf, rejectsWith } from "../outcomes.ts";
import { firstCall, readLater, result, run } from "./reading.ts";

const kind = "deleted";

async function checkDeleted(store: OpenStore): Promise<readonly Check[]> {
  const { remove } = store;
  if (remove === undefined)
    return [unjudged("begin", "a run whose steps were deleted", "the store has no `remove`")];
  const lease = await store.open(run);
  await lease.begin(toolStep(firstCall));
  await remove();
  const begin = await outcomeOf(lease.begin(toolStep(`${run}/1/2`)));
  const end = await outcomeOf(lease.end(toolStep(firstCall), result));
  const { aborted, reason } = lease.lost;
  await outcomeOf(lease.close());
  const ended = await store.open(run);
  await ended.end(toolStep(firstCall), result);
  await remove();
  const close = await outcomeOf(ended.close({ status: "done" }));
  const expected = rejectsWith(kind);
  return [
    compare("begin", "`begin` after what is stored was deleted", expected, begin),
    compare("end", "`end` of a step that began before", expected, end),
    compare(
      "aborts",
      "the signal `lost` of the lease after that",
      `aborts with the kind ${kind}`,
      aborted ? `aborts with the kind ${kindOfError(reason)}` : "does not abort",
    ),
    compare("close", "`close` of a run that was done", expected, close),
    compare(
      "next",
      "the step of that run, through another connection",
      "nothing recorded",
      await readLater(store, firstCall),
    ),
  ];
}

/** Clauses about a store that is deleted while it is used. */
export const journalDeletedClauses: JournalClauseTable = {
  "journal.deleted": {
    rule: "If the stored steps of a run are deleted while a process has the run, `begin`, `end` and the end of the run reject with an error of the kind `deleted`, so that nothing repeats the run without a word.",
    level: "must",
    references: {
      "WiseLibs/better-sqlite3#1237":
        "the files were deleted while a program used them: each insert succeeded, and all of them were lost when it ended",
      "https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use":
        "a file that was removed or renamed is still written, and others do not see it",
    },
    question: askStore(checkDeleted),
    mutants: {
      "goes on without a word": (sound) =>
        neverLost(onRejection(kind, ["begin", "end", "close"], ignore)(sound)),
      "lets a run end as done of which nothing is stored": onRejection(kind, ["close"], ignore),
      "says that another process has the run, so that an engine tries again": onRejection(
        kind,
        ["begin", "end"],
        failWith(lostError),
      ),
    },
  },
};
