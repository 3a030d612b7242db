import type { Check } from "../../harness/check.ts";
import { askStore, askTimed, compare, type TimedCheck, toolStep } from "../ask.ts";
import type { JournalClauseTable } from "../clause.ts";
import type { JournalTiming, OpenStore } from "../harness.ts";
import { alterLeases, closeHolder, inUseError } from "../mutants.ts";
import { outcomeOf, settle } from "../outcomes.ts";
import { contest, contestCheck, waitLeases } from "./contention.ts";
import { result, run } from "./reading.ts";

/** How long it may take until a run is free. A lease of this store lasts far longer. */
const freeWithinMs = 10_000;

async function checkReleased(
  store: OpenStore,
  { timeoutMs }: JournalTiming,
): Promise<readonly Check[]> {
  const limitMs = Math.min(timeoutMs, freeWithinMs);
  const expected = "resolves";
  const checks: Check[] = [];
  for (const status of ["done", undefined] as const) {
    const lease = await store.open(run);
    await lease.begin(toolStep(`${run}/1/1`));
    await lease.close(status && { status });
    const opening = store.open(run);
    const opened = await settle(opening, limitMs);
    const actual = opened.isFulfilled ? expected : await outcomeOf(Promise.reject(opened.thrown));
    if (opened.isFulfilled) await opened.value.close();
    const how = status === undefined ? "without an outcome" : `with the status ${status}`;
    checks.push(
      compare(status ?? "interrupted", `a run that was given back ${how}`, expected, actual),
    );
  }
  return checks;
}

async function checkClosedTwice(store: OpenStore): Promise<readonly TimedCheck[]> {
  const first = await store.open(run);
  await first.close();
  const again = await outcomeOf(first.close());
  const held = await store.open(run);
  const third = await outcomeOf(first.close());
  const other = await store.connect();
  const actual = await contest({ runId: run, held, other, waitMs: store.leaseMs * waitLeases });
  const expected = "resolves";
  return [
    compare("again", "a second `close`", expected, again),
    compare("later", "a `close` when another connection has the run", expected, third),
    contestCheck("held", "the run of the other connection after that `close`", actual),
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
  const expected = "rejects";
  const kindOf = (outcome: string): string => (outcome.startsWith(expected) ? expected : outcome);
  return [
    compare("begin", "`begin` after `close`", expected, kindOf(begin)),
    compare("end", "`end` after `close`", expected, kindOf(end)),
    compare(
      "read",
      "the step, through another connection",
      "nothing recorded",
      step === undefined ? "nothing recorded" : step.state,
    ),
  ];
}

/** Clauses about a run that is given back. */
export const journalCloseClauses: JournalClauseTable = {
  "journal.released": {
    rule: "A run that was given back is free at once, however long its lease would have lasted.",
    level: "must",
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
    level: "must",
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
};
