import type { Check } from "../../harness/check.ts";
import { askTimed, compare, toolStep } from "../ask.ts";
import type { JournalClauseTable } from "../clause.ts";
import type { JournalTiming, OpenStore } from "../harness.ts";
import { alterLeases, failWith, neverLost, onKind, onRejection } from "../mutants.ts";
import { kindOfError, outcomeOf, rejectsWith, settle } from "../outcomes.ts";
import { result } from "./reading.ts";
import { takenKeys, withTakenRun } from "./taken-run.ts";

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
    const kind = kindOfError(reason);
    return [
      compare("begin", "`begin` of the connection that lost the run", expected, begin),
      compare("end", "`end` of that connection", expected, end),
      compare(
        "aborts",
        "the signal `lost` of its lease after that",
        "aborts with a JournalError",
        describeSignal(aborted, kind, reason),
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

function describeSignal(aborted: boolean, kind: string | undefined, reason: unknown): string {
  if (!aborted) return "does not abort";
  return `aborts with ${kind === undefined ? String(reason) : "a JournalError"}`;
}

/** Clauses about how a process learns that it lost its run. */
export const journalLostSignalClauses: JournalClauseTable = {
  "journal.lost-signal": {
    rule: "The process that lost its run learns it: `begin` and `end` reject with an error of the kind `lost`, and the signal `lost` of its lease aborts.",
    level: "must",
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
        failWith(() => new Error("0 rows were changed")),
      ),
    },
  },
  "journal.lost-noticed": {
    rule: "A process that lost its run notices it by itself, also while a tool or a request takes long.",
    level: "should",
    references: {
      "aegra/aegra#547": "a worker whose lease had lapsed ran on beside the next one",
    },
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
