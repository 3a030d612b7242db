import type { Check } from "../../harness/check.ts";
import { askStore, toolStep, unjudged } from "../ask.ts";
import type { JournalClauseTable } from "../clause.ts";
import type { OpenStore } from "../harness.ts";
import { alterLeases, onKind } from "../mutants.ts";
import { kindOfError, outcomeOf, rejectsWith } from "../outcomes.ts";
import { lostError } from "./errors.ts";
import { firstCall, readLater, result, run } from "./reading.ts";

const kind = "deleted";

async function checkDeleted(store: OpenStore): Promise<readonly Check[]> {
  const { remove } = store;
  if (remove === undefined)
    return [unjudged("begin", "a run whose steps were deleted", "the store has no `remove`")];
  const lease = await (await store.connect()).open(run);
  await lease.begin(toolStep(firstCall));
  await remove();
  const begin = await outcomeOf(lease.begin(toolStep(`${run}/1/2`)));
  const end = await outcomeOf(lease.end(toolStep(firstCall), result));
  const { aborted, reason } = lease.lost;
  await outcomeOf(lease.close());
  const ended = await (await store.connect()).open(run);
  await ended.end(toolStep(firstCall), result);
  await remove();
  const close = await outcomeOf(ended.close({ status: "done" }));
  const expected = rejectsWith(kind);
  return [
    { id: "begin", at: "`begin` after what is stored was deleted", expected, actual: begin },
    { id: "end", at: "`end` of a step that began before", expected, actual: end },
    {
      id: "aborts",
      at: "the signal `lost` of the lease after that",
      expected: `aborts with the kind ${kind}`,
      actual: aborted ? `aborts with the kind ${kindOfError(reason)}` : "does not abort",
    },
    { id: "close", at: "`close` of a run that was done", expected, actual: close },
    {
      id: "next",
      at: "the step of that run, through another connection",
      expected: "nothing recorded",
      actual: await readLater(store, firstCall),
    },
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
      "goes on without a word": alterLeases(({ lease }) => {
        const hide = (work: () => Promise<void>): Promise<void> =>
          onKind(kind, work, async () => undefined);
        return {
          lost: new AbortController().signal,
          begin: (step) => hide(() => lease.begin(step)),
          end: (step, json) => hide(() => lease.end(step, json)),
          close: (end) => hide(() => lease.close(end)),
        };
      }),
      "lets a run end as done of which nothing is stored": alterLeases(({ lease }) => ({
        close: (end) =>
          onKind(
            kind,
            () => lease.close(end),
            async () => undefined,
          ),
      })),
      "says that another process has the run, so that an engine tries again": alterLeases(
        ({ lease, runId }) => {
          const asLost = (work: () => Promise<void>): Promise<void> =>
            onKind(kind, work, async () => {
              throw lostError(runId);
            });
          return {
            begin: (step) => asLost(() => lease.begin(step)),
            end: (step, json) => asLost(() => lease.end(step, json)),
          };
        },
      ),
    },
  },
};
