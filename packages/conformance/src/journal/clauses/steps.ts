import type { RunLease } from "@fullstop/loop/journal";
import type { Check } from "../../harness/check.ts";
import {
  askStore,
  checkLater,
  checkReading,
  firstCall,
  type JournalClauseTable,
  modelStep,
  result,
  run,
  toolStep,
  unlessRefused,
} from "../ask.ts";
import type { OpenStore } from "../harness.ts";
import { alterLeases } from "../mutants.ts";
import { begun, outcomeOf, unrecorded } from "../outcomes.ts";

async function checkBlank(store: OpenStore): Promise<readonly Check[]> {
  const lease = await store.open(run);
  const blank = [firstCall, unrecorded] as const;
  const first = await checkReading(lease, "new-run", "a key of a new run", blank);
  await lease.end(modelStep(`${run}/1/model`), result);
  const beside = await checkReading(lease, "beside", "a key beside a recorded one", blank);
  await lease.close();
  const at = "a key that was read before, through another connection";
  return [first, beside, await checkLater(store, "later", at, blank)];
}

async function checkBegun(store: OpenStore): Promise<readonly Check[]> {
  const lease = await store.open(run);
  await lease.begin(toolStep(firstCall));
  const atOnce = await checkReading(lease, "at-once", "after `begin`", [firstCall, begun]);
  const other = [`${run}/1/2`, unrecorded] as const;
  const sibling = await checkReading(lease, "sibling", "the call beside it", other);
  await lease.close();
  const at = "after `begin` and `close`, through another connection";
  return [atOnce, sibling, await checkLater(store, "later", at, [firstCall, begun])];
}

async function endedCheck(
  store: OpenStore,
  { id, at, key }: { readonly id: string; readonly at: string; readonly key: string },
  write: (lease: RunLease) => Promise<void>,
): Promise<readonly Check[]> {
  const lease = await store.open(run);
  const written = await outcomeOf(write(lease));
  const atOnce = unlessRefused(written, await checkReading(lease, id, at, [key, result]));
  await lease.close();
  const later = `${at}, through another connection`;
  return [atOnce, await checkLater(store, `${id}-later`, later, [key, result])];
}

async function checkEnded(store: OpenStore): Promise<readonly Check[]> {
  const both = { id: "begun", at: "a step that began and ended", key: `${run}/1/1` };
  const only = { id: "not-begun", at: "a step that ended, and whose beginning was not recorded" };
  const model = { ...only, key: `${run}/1/model` };
  const other = {
    id: "other-lease",
    at: "a step that began under an earlier lease",
    key: `${run}/1/2`,
  };
  const begun = await store.open(run);
  await begun.begin(toolStep(other.key));
  await begun.close();
  return [
    ...(await endedCheck(store, both, async (lease) => {
      await lease.begin(toolStep(both.key));
      await lease.end(toolStep(both.key), result);
    })),
    ...(await endedCheck(store, model, (lease) => lease.end(modelStep(model.key), result))),
    ...(await endedCheck(store, other, (lease) => lease.end(toolStep(other.key), result))),
  ];
}

export const journalStepClauses: JournalClauseTable = {
  "journal.blank": {
    rule: "A key for which nothing is recorded is read as `undefined`. That is not an error.",
    references: {
      "https://docs.restate.dev/guides/error-handling":
        "an engine tries again what throws, so a missing step would be looked for forever",
    },
    question: askStore(checkBlank),
    mutants: {
      "rejects for a key that it does not know": alterLeases(({ lease }) => ({
        read: async (key) => {
          const step = await lease.read(key);
          if (step === undefined) throw new Error(`not found: ${key}`);
          return step;
        },
      })),
      "takes an unknown step for one that began": alterLeases(({ lease }) => ({
        read: async (key) => (await lease.read(key)) ?? { state: "begun" },
      })),
    },
  },
  "journal.begun": {
    rule: "A step that began is read as begun until it has ended, also after its lease was given back. Only so is a call that was interrupted known to be in doubt.",
    references: {
      "microsoft/agent-framework#3938":
        "209 of 209 refunds were made twice, because nothing said that they had started",
    },
    question: askStore(checkBegun),
    mutants: {
      "records nothing when a step begins": alterLeases(() => ({ begin: async () => undefined })),
      "forgets the steps that have not ended when the run is given back": alterLeases(
        ({ lease }) => {
          const begun = new Set<string>();
          return {
            begin: async ({ key }) => {
              begun.add(key);
            },
            read: async (key) =>
              (await lease.read(key)) ?? (begun.has(key) ? { state: "begun" } : undefined),
          };
        },
      ),
    },
  },
  "journal.ended": {
    rule: "A step that ended is read as ended, with its text, whether its beginning was recorded or not.",
    references: {
      "agno-agi/agno#10366": "a run whose tool had succeeded was repeated from its beginning",
    },
    question: askStore(checkEnded),
    mutants: {
      "reads a step that began as begun, although it has ended": alterLeases(({ lease }) => {
        const begun = new Set<string>();
        return {
          begin: async (step) => {
            begun.add(step.key);
            await lease.begin(step);
          },
          read: async (key) => (begun.has(key) ? { state: "begun" } : lease.read(key)),
        };
      }),
      "ends only a step that began": alterLeases(({ lease }) => ({
        end: async (step, json) => {
          if ((await lease.read(step.key))?.state !== "begun")
            throw new Error(`${step.key} did not begin`);
          await lease.end(step, json);
        },
      })),
    },
  },
};
