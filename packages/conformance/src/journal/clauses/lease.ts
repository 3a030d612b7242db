import type { JournalClauseTable } from "../ask.ts";
import { askTimed, compare, type TimedCheck, toolStep } from "../ask.ts";
import type { OpenStore } from "../harness.ts";
import { alterLeases, alterOpen, onKind } from "../mutants.ts";
import { outcomeOf } from "../outcomes.ts";
import { contest, contestCheck, waitLeases } from "./contention.ts";
import { run } from "./reading.ts";

async function checkHeld(store: OpenStore): Promise<readonly TimedCheck[]> {
  const [one, other] = [await store.connect(), await store.connect()];
  const held = await one.open(run);
  await held.begin(toolStep(`${run}/1/1`));
  const waitMs = store.leaseMs * waitLeases;
  const actual = await contest({ runId: run, held, other, waitMs });
  await outcomeOf(held.close());
  return [contestCheck("held", "a run that another connection holds", actual)];
}

/** Two attempts at the same time: one wins, or none does and a later one can. */
async function checkAtOnce(store: OpenStore): Promise<readonly TimedCheck[]> {
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
  const later = leases.length > 0 ? 1 : await countLater(store);
  const expected = "one connection writes the run";
  const actual = writers > 1 || later === 0 ? `${writers} connections write the run` : expected;
  return [compare("at-once", "three connections that ask for a run at once", expected, actual)];
}

async function countLater(store: OpenStore): Promise<number> {
  const opened = await (await store.connect()).tryOpen("at-once");
  return opened.isFulfilled ? 1 : 0;
}

async function checkOneWriter(store: OpenStore): Promise<readonly TimedCheck[]> {
  return [...(await checkHeld(store)), ...(await checkAtOnce(store))];
}

/** A run that lasts this many leases. */
const longRunLeases = 3;

async function checkRenewed(store: OpenStore): Promise<readonly TimedCheck[]> {
  const held = await store.open(run);
  await new Promise((resolve) => setTimeout(resolve, store.leaseMs * longRunLeases));
  const at = `a run that lasted ${longRunLeases} leases`;
  const other = await store.connect();
  const actual = await contest({ runId: run, held, other, waitMs: store.leaseMs * waitLeases });
  return [
    contestCheck("held", at, actual),
    {
      ...compare("signal", at, "not lost", held.lost.aborted ? "lost" : "not lost"),
      mayBeLate: true,
    },
  ];
}

/** Clauses about the right to write a run. */
export const journalLeaseClauses: JournalClauseTable = {
  "journal.one-writer": {
    rule: "Of several connections only one writes a run. While it is alive, the attempt of another waits, or rejects with an error of the kind `in-use`.",
    references: {
      "langchain-ai/langgraph#8796":
        "two workers wrote one thread, both were told that it worked, and a state that was saved could not be reached any more",
    },
    question: askTimed(checkOneWriter),
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
