import type { Check } from "../../harness/check.ts";
import {
  askStore,
  checkLater,
  checkReading,
  compare,
  type JournalClauseTable,
  result,
  run,
  toolStep,
} from "../ask.ts";
import type { OpenStore } from "../harness.ts";
import { alterJournals, alterLeases, alterOpen, inUseError } from "../mutants.ts";
import { begun, describeSettled, outcomeOf, unrecorded } from "../outcomes.ts";

async function checkKept(store: OpenStore): Promise<readonly Check[]> {
  const steps = ["1/model", "1/1", "2/model"].map((step) => `${run}/${step}`);
  for (const key of steps) {
    const lease = await store.open(run);
    await lease.begin(toolStep(key));
    await lease.end(toolStep(key), JSON.stringify({ key }));
    await lease.close();
  }
  const checks: Check[] = [];
  for (const [index, key] of steps.entries()) {
    const at = `the step of lease ${index + 1} of ${steps.length}, through another connection`;
    checks.push(await checkLater(store, `lease-${index + 1}`, at, [key, JSON.stringify({ key })]));
  }
  return checks;
}

/** A call of a sub-agent of `order` has the key that a call of the run `order/1/1` has. */
async function checkSameKey(store: OpenStore): Promise<readonly Check[]> {
  const key = "order/1/1/1/1";
  const first = await store.open("order");
  await first.end(toolStep(key), result);
  await first.close();
  const second = await store.open("order/1/1");
  const at = `the key ${key} in the run order/1/1, after a sub-agent of the run order ended it`;
  const check = await checkReading(second, "sub-agent", at, [key, unrecorded]);
  await second.close();
  return [check];
}

async function checkTogether(store: OpenStore, isApart: boolean): Promise<readonly Check[]> {
  const one = await store.connect();
  const other = isApart ? await store.connect() : one;
  const first = await one.open("first");
  const opened = await other.tryOpen("second");
  const at = `a second run of ${isApart ? "another" : "the same"} connection while the first is open`;
  if (!opened.isFulfilled) return [compare("open", at, "resolves", describeSettled(opened))];
  await first.begin(toolStep("first/1/1"));
  await opened.value.begin(toolStep("second/1/1"));
  const check = await checkReading(first, "open", at, ["first/1/1", begun]);
  await opened.value.close();
  const after = await outcomeOf(first.end(toolStep("first/1/1"), result));
  await first.close();
  return [
    check,
    compare("close", `${at}: the first goes on after the second was closed`, "resolves", after),
  ];
}

export const journalRunClauses: JournalClauseTable = {
  "journal.kept": {
    rule: "What one connection recorded is there for the next, in each later lease of the run.",
    references: {
      "NousResearch/hermes-agent#109984":
        "an older state replaced a newer one, and recovery lost what was recorded in between",
    },
    question: askStore(checkKept),
    mutants: {
      "keeps steps only in the memory of the process": alterLeases(() => {
        const own = new Map<string, string>();
        return {
          begin: async () => undefined,
          end: async ({ key }, json) => {
            own.set(key, json);
          },
          read: async (key) => {
            const json = own.get(key);
            return json === undefined ? undefined : { state: "ended", json };
          },
        };
      }),
      "keeps only the steps of the last lease": alterLeases(({ lease, store: { shared } }) => {
        const isFirst = shared.size === 0;
        return {
          end: async (step, json) => {
            shared.set("last", isFirst ? "" : step.key);
            await lease.end(step, json);
          },
          read: async (key) => {
            const last = shared.get("last");
            return last === "" || last === key ? lease.read(key) : undefined;
          },
        };
      }),
    },
  },
  "journal.same-key": {
    rule: "The same key in two runs is two steps. Calls of sub-agents can have the keys of a run whose name is the key of their call.",
    level: "should",
    references: {
      "MervinPraison/PraisonAI#4120":
        "the transcript of a sub-agent had the id of a session of a user",
    },
    question: askStore(checkSameKey),
    mutants: {
      "finds a step by its key alone": alterLeases(({ lease, store: { shared } }) => ({
        end: async (step, json) => {
          shared.set(step.key, json);
          await lease.end(step, json);
        },
        read: async (key) => {
          const json = shared.get(key);
          return json === undefined ? lease.read(key) : { state: "ended", json };
        },
      })),
    },
  },
  "journal.runs-together": {
    rule: "One process can hold several runs at the same time, and to give one back does not end the others.",
    level: "should",
    references: {
      "PrefectHQ/prefect#16746":
        "a run that no process worked on kept every other run of its pool from starting",
    },
    question: askStore((store) => checkTogether(store, false)),
    mutants: {
      "has one lock for all runs": alterOpen(async (open, runId, signal, { holders }) => {
        if (holders.size > 0) throw inUseError(runId);
        return open(runId, signal);
      }),
    },
  },
  "journal.runs-apart": {
    rule: "Two processes can hold two different runs at the same time.",
    level: "should",
    references: {
      "PrefectHQ/prefect#16746":
        "a run that no process worked on kept every other run of its pool from starting",
    },
    question: askStore((store) => checkTogether(store, true)),
    mutants: {
      "locks the whole store for one process": alterJournals(({ open }, { shared }) => {
        const own = crypto.randomUUID();
        return {
          open: async (runId, signal) => {
            const owner = shared.get("owner") ?? own;
            if (owner !== own) throw inUseError(runId);
            shared.set("owner", own);
            return open(runId, signal);
          },
        };
      }),
    },
  },
};
