import type { RunLease } from "@fullstop/loop/journal";
import {
  askTimed,
  compare,
  type JournalClauseTable,
  run,
  type TimedCheck,
  toolStep,
} from "../ask.ts";
import type { OpenStore } from "../harness.ts";
import { alterLeases, alterOpen, onKind } from "../mutants.ts";
import { describeRejection, kindOfError, outcomeOf } from "../outcomes.ts";

/** What comes of asking for a run that another connection holds, as an expected or actual result. */
const contestResults = {
  refused: "the second is refused or waits, and the first goes on",
  bothWrite: "both connections write the run",
  taken: "the second takes the run from the first, which is alive",
} as const;

/**
 * Asks for a run that is held. An attempt that waits is aborted. If the run is given, what counts
 * is who can write: the first may have been too slow to keep its lease.
 */
async function contest(store: OpenStore, held: RunLease): Promise<string> {
  const other = await store.connect();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), store.leaseMs * waitLeases);
  const opened = await other.tryOpen(run, controller.signal);
  clearTimeout(timer);
  if (!opened.isFulfilled) {
    const isRefused = kindOfError(opened.thrown) === "in-use" || controller.signal.aborted;
    if (!isRefused) return `the second ${describeRejection(opened.thrown)}`;
    const first = await outcomeOf(held.begin(toolStep(`${run}/contest/first`)));
    return first === "resolves" ? contestResults.refused : `the first ${first}`;
  }
  const second = await outcomeOf(opened.value.begin(toolStep(`${run}/contest/second`)));
  const first = await outcomeOf(held.begin(toolStep(`${run}/contest/first`)));
  await opened.value.close();
  if (first !== "resolves") return contestResults.taken;
  return second === "resolves" ? contestResults.bothWrite : `the second ${second}`;
}

/** Whether a busy machine may explain the result: the first lost its lease and knew it. */
const mayBeLate = (actual: string): boolean =>
  actual === contestResults.taken || actual.startsWith("the first rejects");

/** An attempt that has no answer after this many leases is one that waits. */
const waitLeases = 4;

/** Asks for a run that is held, through another connection. */
export async function checkContest(
  store: OpenStore,
  at: string,
  held: RunLease,
): Promise<TimedCheck> {
  const actual = await contest(store, held);
  const check = compare("held", at, contestResults.refused, actual);
  return { ...check, ...(mayBeLate(actual) && { mayBeLate: true }) };
}

async function checkHeld(store: OpenStore): Promise<TimedCheck> {
  const held = await store.open(run);
  await held.begin(toolStep(`${run}/1/1`));
  const check = await checkContest(store, "a run that another connection holds", held);
  await outcomeOf(held.close());
  return check;
}

/** Two attempts at the same time: one wins, or none does and a later one can. */
async function checkAtOnce(store: OpenStore): Promise<TimedCheck> {
  const connections = [await store.connect(), await store.connect(), await store.connect()];
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), store.leaseMs * waitLeases);
  const opened = await Promise.all(
    connections.map((connection) => connection.tryOpen("at-once", controller.signal)),
  );
  clearTimeout(timer);
  const leases = opened.flatMap((settled) => (settled.isFulfilled ? [settled.value] : []));
  const writes: string[] = [];
  for (const [index, lease] of leases.entries())
    writes.push(await outcomeOf(lease.begin(toolStep(`at-once/1/${index + 1}`))));
  for (const lease of leases) await lease.close();
  const writers = writes.filter((outcome) => outcome === "resolves").length;
  const canBeTaken =
    leases.length > 0 || (await (await store.connect()).tryOpen("at-once")).isFulfilled;
  const expected = "one connection writes the run";
  const actual = writers > 1 || !canBeTaken ? `${writers} connections write the run` : expected;
  return compare("at-once", "three connections that ask for a run at once", expected, actual);
}

/** A run that lasts this many leases. */
const longRunLeases = 3;

async function checkRenewed(store: OpenStore): Promise<readonly TimedCheck[]> {
  const held = await store.open(run);
  await new Promise((resolve) => setTimeout(resolve, store.leaseMs * longRunLeases));
  const at = `a run that lasted ${longRunLeases} leases`;
  return [
    await checkContest(store, at, held),
    {
      ...compare("signal", at, "not lost", held.lost.aborted ? "lost" : "not lost"),
      mayBeLate: true,
    },
  ];
}

export const journalLeaseClauses: JournalClauseTable = {
  "journal.one-writer": {
    rule: "Of several connections only one writes a run. While it is alive, the attempt of another waits, or rejects with an error of the kind `in-use`.",
    references: {
      "langchain-ai/langgraph#8796":
        "two workers wrote one thread, both were told that it worked, and a state that was saved could not be reached any more",
    },
    question: askTimed(async (store) => [await checkHeld(store), await checkAtOnce(store)]),
    mutants: {
      "lets a second connection write through the lease of the first": alterOpen(
        async (open, runId, signal, { holders }) => holders.get(runId) ?? open(runId, signal),
      ),
      "gives the run to the connection that asked last": alterOpen(
        async (open, runId, signal, { holders }) => {
          await holders.get(runId)?.close();
          return open(runId, signal);
        },
      ),
      "does not say that another process has the run": alterOpen((open, runId, signal) =>
        onKind(
          "in-use",
          () => open(runId, signal),
          () => Promise.reject(new Error("database is locked")),
        ),
      ),
    },
  },
  "journal.renewed": {
    rule: "A living process keeps its run, however long the run takes.",
    references: {
      "Abilityai/trinity#2846":
        "a lease was never renewed, so a second worker ran a long turn beside the first",
      "Tracer-Cloud/opensre#6082": "a task outlived its lease, and its message was sent twice",
    },
    question: askTimed(checkRenewed),
    mutants: {
      "does not renew its lease": alterLeases(({ lease, store: { leaseMs } }) => {
        const timer = setTimeout(() => void lease.close(), leaseMs);
        return {
          close: async (end) => {
            clearTimeout(timer);
            await lease.close(end);
          },
        };
      }),
    },
  },
};
