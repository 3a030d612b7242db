import type { Check } from "../../harness/check.ts";
import {
  askTimed,
  checkReading,
  compare,
  type JournalClauseTable,
  result,
  run,
  type TimedCheck,
  toolStep,
} from "../ask.ts";
import type { JournalTiming, OpenStore } from "../harness.ts";
import {
  alterLeases,
  closeHolder,
  failWith,
  ignore,
  neverLost,
  onKind,
  onRejection,
} from "../mutants.ts";
import {
  begun,
  kindOfError,
  outcomeOf,
  rejectsWith,
  settle,
  unrecorded,
  withoutReason,
} from "../outcomes.ts";
import { checkContest } from "./lease.ts";
import { others, takenKeys, withTakenRun } from "./takeover.ts";

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
    const outcomes = (await Promise.all(writes)).map(withoutReason);
    const [begin = "", end = "", overwrite = ""] = outcomes;
    const still = await outcomeOf(taken.begin(toolStep(`${run}/2/1`)));
    await taken.close();
    const later = await store.open(run);
    const expected = "rejects";
    return [
      compare("begin", "`begin` of the connection that lost the run", expected, begin),
      compare("end", "`end` of a step that it began before", expected, end),
      compare("overwrite", "`end` of a step of the other connection", expected, overwrite),
      await checkReading(later, "begin-recorded", "the step of that `begin`", [
        takenKeys.afterLoss,
        unrecorded,
      ]),
      await checkReading(later, "end-recorded", "the step of that `end`", [takenKeys.begun, begun]),
      await checkReading(later, "overwrite-recorded", "the step of the other connection", [
        takenKeys.ofOther,
        others,
      ]),
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
    const at = "the run of the second connection, after the first gave back what it had lost";
    return [await checkContest(store, at, taken)];
  });

const checkLostSignal = (store: OpenStore, timing: JournalTiming): Promise<readonly Check[]> =>
  withTakenRun(store, timing, async ({ lost, stopped }) => {
    const expected = rejectsWith("lost");
    const told = async (work: Promise<void>): Promise<string> => {
      const outcome = await outcomeOf(work);
      return stopped.isCut() && outcome === rejectsWith("unavailable") ? expected : outcome;
    };
    const begins = told(lost.begin(toolStep(takenKeys.afterLoss)));
    stopped.resume();
    const begin = await begins;
    const end = await told(lost.end(toolStep(takenKeys.begun), result));
    const { aborted, reason } = lost.lost;
    const known = kindOfError(reason) === undefined ? String(reason) : "a JournalError";
    const signal = aborted ? `aborts with ${known}` : "does not abort";
    return [
      compare("begin", "`begin` of the connection that lost the run", expected, begin),
      compare("end", "`end` of that connection", expected, end),
      compare(
        "aborts",
        "the signal `lost` of its lease after that",
        "aborts with a JournalError",
        signal,
      ),
    ];
  });

const checkNoticed = (store: OpenStore, timing: JournalTiming): Promise<readonly Check[]> =>
  withTakenRun(store, timing, async ({ lost, stopped }) => {
    const { lost: signal } = lost;
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    stopped.resume();
    const { isFulfilled } = await settle(aborted, timing.timeoutMs);
    const expected = "aborts";
    return [
      compare(
        "alone",
        "the signal `lost` of a lease that was lost, without a `begin` or `end`",
        expected,
        isFulfilled ? expected : `does not abort for ${timing.timeoutMs / 1000} s`,
      ),
    ];
  });

/** Clauses about a process that lost its run: what it can still do, and how it learns it. */
export const journalLostClauses: JournalClauseTable = {
  "journal.lost": {
    rule: "After another connection has taken the run, `begin` and `end` of the first reject and record nothing, and the run of the other goes on.",
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
    references: {
      "apache/superset#43462": "a holder whose time had lapsed removed the lock of the next one",
    },
    question: askTimed(checkLateClose),
    mutants: { "gives back the run, and not its own lease": closeHolder },
  },
  "journal.lost-signal": {
    rule: "The process that lost its run learns it: `begin` and `end` reject with an error of the kind `lost`, and the signal `lost` of its lease aborts.",
    references: {
      "OrlojHQ/orloj#110":
        "a worker that had lost its task went on with its request, and both workers were at work",
    },
    question: askTimed(checkLostSignal),
    mutants: {
      "never aborts the signal": neverLost,
      "rejects with the error of the database": onRejection(
        "lost",
        ["begin", "end"],
        failWith("0 rows were changed"),
      ),
    },
  },
  "journal.lost-noticed": {
    rule: "A process that lost its run notices it by itself, also while a tool or a request takes long.",
    level: "should",
    references: { "aegra/aegra#547": "a worker whose lease had lapsed ran on beside the next one" },
    question: askTimed(checkNoticed),
    mutants: {
      "notices the loss of its run only when it writes": alterLeases(({ lease }) => {
        const controller = new AbortController();
        const lose = async (thrown: unknown): Promise<void> => {
          controller.abort(thrown);
          throw thrown;
        };
        return {
          lost: controller.signal,
          begin: (step) => onKind("lost", () => lease.begin(step), lose),
          end: (step, json) => onKind("lost", () => lease.end(step, json), lose),
        };
      }),
    },
  },
};
