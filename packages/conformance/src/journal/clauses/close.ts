import type { Check } from "../../harness/check.ts";
import {
  askStore,
  askTimed,
  compare,
  type JournalClauseTable,
  result,
  run,
  type TimedCheck,
  toolStep,
  unjudged,
} from "../ask.ts";
import type { JournalTiming, OpenStore } from "../harness.ts";
import { alterLeases, alterOpen, closeHolder, inUseError } from "../mutants.ts";
import { describeSettled, outcomeOf, settle, unrecorded, withoutReason } from "../outcomes.ts";
import { checkContest } from "./lease.ts";

/** How long it may take until a run is free. A lease of this store lasts far longer. */
const freeWithinMs = 10_000;

async function checkReleased(
  store: OpenStore,
  { timeoutMs }: JournalTiming,
): Promise<readonly Check[]> {
  const limitMs = Math.min(timeoutMs, freeWithinMs);
  const checks: Check[] = [];
  for (const status of ["done", undefined] as const) {
    const lease = await store.open(run);
    await lease.begin(toolStep(`${run}/1/1`));
    await lease.close(status && { status });
    const opened = await settle(store.open(run), limitMs);
    if (opened.isFulfilled) await opened.value.close();
    const how = status === undefined ? "without an outcome" : `with the status ${status}`;
    const at = `a run that was given back ${how}`;
    checks.push(compare(status ?? "interrupted", at, "resolves", describeSettled(opened)));
  }
  return checks;
}

async function checkClosedTwice(store: OpenStore): Promise<readonly TimedCheck[]> {
  const first = await store.open(run);
  await first.close();
  const again = await outcomeOf(first.close());
  const held = await store.open(run);
  const third = await outcomeOf(first.close());
  const contested = await checkContest(
    store,
    "the run of the other connection after that `close`",
    held,
  );
  const expected = "resolves";
  return [
    compare("again", "a second `close`", expected, again),
    compare("later", "a `close` when another connection has the run", expected, third),
    contested,
  ];
}

async function checkClosed(store: OpenStore): Promise<readonly Check[]> {
  const key = `${run}/1/1`;
  const lease = await store.open(run);
  await lease.close();
  const begin = await outcomeOf(lease.begin(toolStep(key)));
  const end = await outcomeOf(lease.end(toolStep(key), result));
  const later = await store.open(run);
  const step = await later.read(key);
  return [
    compare("begin", "`begin` after `close`", "rejects", withoutReason(begin)),
    compare("end", "`end` after `close`", "rejects", withoutReason(end)),
    compare(
      "read",
      "the step, through another connection",
      unrecorded,
      step === undefined ? unrecorded : step.state,
    ),
  ];
}

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
  const limitMs = Math.min(timeoutMs, freeWithinMs);
  const later = await settle(store.open(run), limitMs);
  const free = compare(
    "free",
    "the run after an attempt that was aborted, when its holder gave it back",
    "resolves",
    describeSettled(later),
  );
  const at = "an attempt that waits for a run, when its signal aborts";
  if (early.isFulfilled) return [unjudged("aborts", at, "this journal does not wait"), free];
  return [compare("aborts", at, "rejects", withoutReason(describeSettled(opened))), free];
}
/** An attempt that still waits looks at the run within this time. */
const lateMs = 1500;

/** Clauses about a run that is given back, and about an attempt to take one. */
export const journalCloseClauses: JournalClauseTable = {
  "journal.released": {
    rule: "A run that was given back is free at once, however long its lease would have lasted.",
    references: {
      "zuke-build/zuke#322":
        "a lease that was not given back made a run that had stopped look like one that is worked on",
    },
    question: askStore(checkReleased),
    mutants: {
      "leaves the run to the end of its lease": alterLeases(() => ({
        close: async () => undefined,
      })),
    },
  },
  "journal.closed-twice": {
    rule: "To give a run back a second time has no effect, and does not take it from the connection that has it now.",
    references: {
      "twentyhq/twenty#25661":
        "a lock was removed without a look at its owner, and then two processes had it",
    },
    question: askTimed(checkClosedTwice),
    mutants: {
      "rejects a second `close`": alterLeases(({ lease, runId }) => {
        let isClosed = false;
        return {
          close: async (end) => {
            if (isClosed) throw inUseError(runId);
            isClosed = true;
            await lease.close(end);
          },
        };
      }),
      "gives back the lease of another connection": closeHolder,
    },
  },
  "journal.closed": {
    rule: "After a lease was given back, `begin` and `end` reject and record nothing.",
    level: "should",
    references: {
      "solana-foundation/solana-private-channels#291":
        "a writer went on after its lease was released, and wrote beside the next one",
    },
    question: askStore(checkClosed),
    mutants: {
      "takes what comes after `close` without a word": alterLeases(({ lease }) => {
        let isClosed = false;
        return {
          begin: async (step) => (isClosed ? undefined : lease.begin(step)),
          end: async (step, json) => (isClosed ? undefined : lease.end(step, json)),
          close: async (end) => {
            isClosed = true;
            await lease.close(end);
          },
        };
      }),
    },
  },
  "journal.aborted": {
    rule: "An attempt that waits for a run ends when its signal aborts, and does not take the run later.",
    references: {
      "zuke-build/zuke#322":
        "an attempt that failed after it had got the lease left a claim behind that nothing held",
    },
    question: askStore(checkAborted),
    mutants: {
      "does not look at the signal": alterOpen((open, runId) => open(runId)),
      "takes the run after its signal aborted": alterOpen((open, runId, signal) => {
        const aborted = new Promise<never>((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        });
        return Promise.race([open(runId), aborted]);
      }),
    },
  },
};
