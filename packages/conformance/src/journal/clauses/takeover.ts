import type { RunLease } from "@fullstop/loop/journal";
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
  unjudged,
} from "../ask.ts";
import { type JournalConnection, takeOver } from "../connection.ts";
import type { JournalTiming, OpenStore } from "../harness.ts";
import { alterLeases, alterOpen, inUseError } from "../mutants.ts";
import { begun } from "../outcomes.ts";

/** The steps of that run. */
export const takenKeys: Readonly<Record<"ended" | "begun" | "afterLoss" | "ofOther", string>> = {
  ended: `${run}/1/model`,
  begun: `${run}/1/1`,
  afterLoss: `${run}/1/2`,
  ofOther: `${run}/1/3`,
};
/** The text of a step of the second connection. */
export const others = '{"by":"the second"}';

/** A run that another connection has taken from one that was stopped. */
export interface TakenRun {
  /** The lease that was lost, and its connection, which does not know it yet. */
  readonly lost: RunLease;
  readonly stopped: JournalConnection;
  /** The lease of the second connection. */
  readonly taken: RunLease;
}

async function loseRun(
  store: OpenStore,
  { timeoutMs }: JournalTiming,
): Promise<Omit<TakenRun, "taken"> & { readonly takeover: Awaited<ReturnType<typeof takeOver>> }> {
  const stopped = await store.connect();
  const lost = await stopped.open(run);
  await lost.end(toolStep(takenKeys.ended), result);
  await lost.begin(toolStep(takenKeys.begun));
  await stopped.stop();
  const { leaseMs } = store;
  const by = await store.connect();
  return {
    lost,
    stopped,
    takeover: await takeOver(by, { runId: run, stopped, leaseMs, timeoutMs }),
  };
}

const stoppedRun = "the run of a connection that was stopped";

/** Lets a connection lose its run, and does the work. The checks say if that was not possible. */
export async function withTakenRun(
  store: OpenStore,
  timing: JournalTiming,
  work: (run: TakenRun) => Promise<readonly TimedCheck[]>,
): Promise<readonly TimedCheck[]> {
  const { takeover, ...rest } = await loseRun(store, timing);
  if ("lease" in takeover) return work({ ...rest, taken: takeover.lease });
  return [unjudged("taken", stoppedRun, takeover.why)];
}

async function checkTakenOver(store: OpenStore, timing: JournalTiming): Promise<readonly Check[]> {
  const { takeover } = await loseRun(store, timing);
  if ("why" in takeover && !takeover.isFault)
    return [unjudged("stopped", stoppedRun, takeover.why)];
  const expected = "another connection takes it";
  const actual =
    "why" in takeover ? `after ${timing.timeoutMs / 1000} s: ${takeover.why}` : expected;
  return [compare("stopped", stoppedRun, expected, actual)];
}

const checkKeptAfterLoss = (store: OpenStore, timing: JournalTiming): Promise<readonly Check[]> =>
  withTakenRun(store, timing, async ({ taken }) => [
    await checkReading(taken, "ended", "a step that the lost connection ended", [
      takenKeys.ended,
      result,
    ]),
    await checkReading(taken, "begun", "a step that the lost connection began", [
      takenKeys.begun,
      begun,
    ]),
  ]);

export const journalTakeoverClauses: JournalClauseTable = {
  "journal.taken-over": {
    rule: "The run of a process that stopped without a word can be taken by another one when its lease has ended.",
    level: "should",
    references: {
      "syncable-dev/memtrace-public#20":
        "a lease outlived its end, and nothing else could take its place",
      "mastra-ai/mastra#10752": "a run of a process that was gone stayed `running`",
    },
    question: askTimed(checkTakenOver),
    mutants: {
      "never ends a lease that was not given back": alterOpen(
        async (open, runId, signal, { holders }) => {
          if (holders.has(runId)) throw inUseError(runId);
          return open(runId, signal);
        },
      ),
    },
  },
  "journal.kept-after-loss": {
    rule: "What a process recorded before it stopped without a word is there for the process that takes its run: what ended is not repeated, and what only began is in doubt.",
    references: {
      "microsoft/agent-framework#3938":
        "a worker was killed between an effect and its record, and the refund was made again",
    },
    question: askTimed(checkKeptAfterLoss),
    mutants: {
      "writes when the run is given back": alterLeases(({ lease }) => {
        const later: (() => Promise<void>)[] = [];
        return {
          begin: async (step) => void later.push(() => lease.begin(step)),
          end: async (step, json) => void later.push(() => lease.end(step, json)),
          close: async (end) => {
            for (const write of later) await write();
            await lease.close(end);
          },
        };
      }),
    },
  },
};
