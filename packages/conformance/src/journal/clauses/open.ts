import type { Check } from "../../harness/check.ts";
import { askStore, compare, unjudged } from "../ask.ts";
import type { JournalClauseTable } from "../clause.ts";
import type { JournalTiming, OpenStore } from "../harness.ts";
import { alterJournals } from "../mutants.ts";
import { outcomeOf, settle } from "../outcomes.ts";
import { run } from "./reading.ts";

/** An attempt that has no answer by then waits for the run. */
const waitsAfterMs = 300;

async function checkAborted(
  store: OpenStore,
  { timeoutMs }: JournalTiming,
): Promise<readonly Check[]> {
  const held = await store.open(run);
  const controller = new AbortController();
  const opening = (await store.connect()).tryOpen(run, controller.signal);
  const early = await settle(opening, waitsAfterMs);
  controller.abort();
  const opened = await opening;
  if (opened.isFulfilled) await opened.value.close();
  await held.close();
  await new Promise((resolve) => setTimeout(resolve, lateMs));
  const limitMs = Math.min(timeoutMs, freeAgainMs);
  const later = await settle(store.open(run), limitMs);
  const free: Check = compare(
    "free",
    "the run after an attempt that was aborted, when its holder gave it back",
    "resolves",
    later.isFulfilled ? "resolves" : await outcomeOf(Promise.reject(later.thrown)),
  );
  const at = "an attempt that waits for a run, when its signal aborts";
  if (early.isFulfilled) return [unjudged("aborts", at, "this journal does not wait"), free];
  const outcome = opened.isFulfilled ? "resolves" : await outcomeOf(Promise.reject(opened.thrown));
  const expected = "rejects";
  const actual = outcome.startsWith(expected) ? expected : outcome;
  return [compare("aborts", at, expected, actual), free];
}
const freeAgainMs = 10_000;
/** An attempt that still waits looks at the run within this time. */
const lateMs = 1500;

/** Clauses about an attempt to take a run. */
export const journalOpenClauses: JournalClauseTable = {
  "journal.aborted": {
    rule: "An attempt that waits for a run ends when its signal aborts, and does not take the run later.",
    level: "must",
    references: {
      "zuke-build/zuke#322":
        "an attempt that failed after it had got the lease left a claim behind that nothing held",
    },
    question: askStore(checkAborted),
    mutants: {
      "does not look at the signal": alterJournals(({ open }) => ({
        open: (runId) => open(runId),
      })),
      "takes the run after its signal aborted": alterJournals(({ open }) => ({
        open: (runId, signal) => {
          const aborted = new Promise<never>((_, reject) => {
            signal?.addEventListener("abort", () => reject(signal.reason));
          });
          return Promise.race([open(runId), aborted]);
        },
      })),
    },
  },
};
