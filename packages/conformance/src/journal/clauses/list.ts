import type { RunEnd, StoredRun } from "@fullstop/loop/journal";
import type { Check } from "../../harness/check.ts";
import type { JournalClauseTable } from "../ask.ts";
import { askTimed, compare, type TimedCheck, toolStep, unjudged } from "../ask.ts";
import type { JournalConnection } from "../connection.ts";
import type { JournalTiming, OpenStore } from "../harness.ts";
import { alterJournals, alterLeases } from "../mutants.ts";
import type { ListingJournal } from "../subject.ts";

const reviewedCall = {
  id: "call_1",
  name: "refund",
  input: { order: "7", note: "ü\u0000" },
  needs: "decision",
  idempotencyKey: "list/1/1",
} as const;

/** How each run of the list stopped. */
const runEnds: Readonly<Record<string, RunEnd | undefined>> = {
  done: { status: "done" },
  waiting: { status: "waiting", calls: [reviewedCall] },
  failed: { status: "failed" },
  interrupted: undefined,
};

const describeRun = ({ status, calls }: Pick<StoredRun, "status" | "calls">): string =>
  calls === undefined ? status : `${status} for ${JSON.stringify(calls)}`;

async function listed(connection: JournalConnection, runId: string): Promise<string> {
  const found = (await connection.list())?.filter((one) => one.runId === runId) ?? [];
  return found.map(describeRun).join(" and ") || "not listed";
}

async function checkListed(store: OpenStore): Promise<readonly TimedCheck[]> {
  const connection = await store.connect();
  if ((await connection.list()) === undefined)
    return [unjudged("runs", "the runs of the store", "the journal has no `listRuns`")];
  for (const [runId, end] of Object.entries(runEnds)) {
    const lease = await connection.open(runId);
    await lease.begin(toolStep(`${runId}/1/1`));
    await lease.close(end);
  }
  const running = await connection.open("running");
  const other = await store.connect();
  const checks: TimedCheck[] = [];
  for (const [runId, end] of Object.entries(runEnds)) {
    const expected = describeRun(end ?? { status: "interrupted" });
    checks.push(
      compare(runId, `a run that stopped as ${runId}`, expected, await listed(other, runId)),
    );
  }
  checks.push({
    ...compare("running", "a run that is open", "running", await listed(other, "running")),
    mayBeLate: true,
  });
  await running.close({ status: "done" });
  return [...checks, ...(await checkFilter(other)), await checkAgain(store, other)];
}

async function checkFilter(connection: JournalConnection): Promise<readonly Check[]> {
  const waiting = (await connection.list("waiting")) ?? [];
  const dated = waiting.every(
    ({ createdAt, updatedAt }) =>
      createdAt instanceof Date && updatedAt instanceof Date && createdAt <= updatedAt,
  );
  return [
    compare(
      "filter",
      "the runs that wait",
      "waiting",
      waiting.map(({ runId }) => runId).join(", ") || "none",
    ),
    compare(
      "dates",
      "when a run was created and updated",
      "two dates in their order",
      dated ? "two dates in their order" : JSON.stringify(waiting),
    ),
  ];
}

/** A run that waited and is continued does not wait any more. */
async function checkAgain(store: OpenStore, list: JournalConnection): Promise<TimedCheck> {
  const lease = await store.open("waiting");
  await lease.close({ status: "done" });
  const actual = await listed(list, "waiting");
  return compare("again", "a run that waited and then ended", "done", actual);
}

async function checkKilled(
  store: OpenStore,
  { timeoutMs }: JournalTiming,
): Promise<readonly TimedCheck[]> {
  const connection = await store.connect();
  const at = "a run whose process stopped without a word";
  if ((await connection.list()) === undefined)
    return [unjudged("killed", at, "the journal has no `listRuns`")];
  const stopped = await store.connect();
  await stopped.open("killed");
  await stopped.stop();
  const expected = "interrupted";
  const until = performance.now() + timeoutMs;
  let actual = await listed(connection, "killed");
  while (actual !== expected && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, store.leaseMs / 4));
    actual = await listed(connection, "killed");
  }
  if (actual !== expected && !stopped.isStopped())
    return [
      unjudged(
        "killed",
        at,
        "the suite could not end its lease: it could hold back no timer of the holder, and the store has no `cut`",
      ),
    ];
  return [compare("killed", at, expected, actual)];
}

const alterListed = (change: (run: StoredRun) => StoredRun): ReturnType<typeof alterJournals> =>
  alterJournals((journal: ListingJournal) => ({
    async *listRuns(options) {
      for await (const run of (await journal.listRuns?.(options)) ?? []) yield change(run);
    },
  }));

export const journalListClauses: JournalClauseTable = {
  "journal.list": {
    rule: "A journal that lists its runs lists each with how it stopped: the status of its outcome, the calls that it waits for, or that it was interrupted. An open run is running.",
    level: "should",
    references: {
      "mastra-ai/mastra#10752":
        "a run of a process that was gone was listed as running for more than a day",
    },
    question: askTimed(async (store) => checkListed(store)),
    mutants: {
      "forgets how a run stopped": alterLeases(({ lease }) => ({ close: () => lease.close() })),
      "forgets the calls that a run waits for": alterListed(({ calls: _, ...run }) => run),
      "lists every run for each status": alterJournals((journal) => ({
        async *listRuns() {
          yield* (await journal.listRuns?.()) ?? [];
        },
      })),
    },
  },
  "journal.list-killed": {
    rule: "A run whose process stopped without a word is listed as interrupted when its lease has ended.",
    level: "should",
    references: {
      "PrefectHQ/prefect#16746":
        "the runs of a process that went down stayed in the state `Running` for ever",
    },
    question: askTimed(checkKilled),
    mutants: {
      "lists a run that was interrupted as running": alterListed((run) =>
        run.status === "interrupted" ? { ...run, status: "running" } : run,
      ),
    },
  },
};
