import type { Check } from "../../harness/check.ts";
import {
  askStore,
  checkReading,
  compare,
  type JournalClauseTable,
  toolStep,
  unjudged,
} from "../ask.ts";
import type { JournalConnection } from "../connection.ts";
import type { OpenStore } from "../harness.ts";
import { alterOpen } from "../mutants.ts";
import { describeRejection, describeSettled, unrecorded } from "../outcomes.ts";

/** Names of two runs that a store may take for one. No name is in two pairs. */
const pairs: Readonly<Record<string, readonly [string, string]>> = {
  case: ["Refund", "refund"],
  slash: ["team/order", "team_order"],
  dash: ["shop/order", "shop-order"],
  escaped: ["desk/order", "desk%2Forder"],
  "escaped-percent": ["100%", "100%25"],
  backslash: ["bank\\order", "bank/order"],
  colon: ["mail:order", "mail_order"],
  dots: ["..", "."],
  "trailing-space": ["claim ", "claim"],
  "trailing-dot": ["invoice.", "invoice"],
  normalization: ["caf\u00e9", "cafe\u0301"],
  "sharp-s": ["stra\u00dfe", "strasse"],
  "name-of-a-device": ["con", "con.json"],
  prototype: ["__proto__", "constructor"],
  "beginning-of-the-other": ["parcel", "parcel/1"],
  "long-names": [`${"o".repeat(300)}1`, `${"o".repeat(300)}2`],
};

const callKeyOf = (runId: string): string => `${runId}/1/1`;

/** What the journal says about a name that it does not take. Such a name is not confused either. */
async function refusalOf(
  connection: JournalConnection,
  names: readonly string[],
): Promise<string | undefined> {
  for (const name of names) {
    const opened = await connection.tryOpen(name);
    if (!opened.isFulfilled) return describeRejection(opened.thrown);
    await opened.value.close();
  }
  return undefined;
}

async function checkPair(
  store: OpenStore,
  id: string,
  [first, second]: readonly [string, string],
): Promise<readonly Check[]> {
  const connection = await store.connect();
  const refusal = await refusalOf(connection, [first, second]);
  if (refusal !== undefined) return [unjudged(id, `the runs ${first} and ${second}`, refusal)];
  const about = (runId: string): string => `the run ${JSON.stringify(runId)}`;
  const write = async (runId: string): Promise<void> => {
    const lease = await connection.open(runId);
    await lease.end(toolStep(callKeyOf(runId)), JSON.stringify({ runId }));
    await lease.close();
  };
  const read = async (
    name: string,
    at: string,
    runId: string,
    recorded = JSON.stringify({ runId }),
  ): Promise<Check> => {
    const lease = await connection.open(runId);
    const check = await checkReading(lease, `${id}-${name}`, at, [callKeyOf(runId), recorded]);
    await lease.close();
    return check;
  };
  await write(first);
  const before = await read("new", `${about(second)} beside ${about(first)}`, second, unrecorded);
  await write(second);
  return [
    before,
    await read("first", about(first), first),
    await read("second", about(second), second),
    ...(await openBoth(connection, id, [first, second])),
  ];
}

/** Two runs that are one cannot be open at the same time. */
async function openBoth(
  connection: JournalConnection,
  id: string,
  [first, second]: readonly [string, string],
): Promise<readonly Check[]> {
  const at = `${JSON.stringify(first)} and ${JSON.stringify(second)} at the same time`;
  const lease = await connection.open(first);
  const other = await connection.tryOpen(second);
  if (other.isFulfilled) await other.value.close();
  await lease.close();
  return [compare(`${id}-both`, at, "resolves", describeSettled(other))];
}

/** Whether a connection can hold two runs with plain names at the same time. */
async function holdsTwoRuns(store: OpenStore): Promise<boolean> {
  const connection = await store.connect();
  const [first] = await openBoth(connection, "plain", ["plain-1", "plain-2"]);
  return first?.actual === "resolves";
}

async function checkRunNames(store: OpenStore): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const [id, pair] of Object.entries(pairs))
    checks.push(...(await checkPair(store, id, pair)));
  if (await holdsTwoRuns(store)) return checks;
  const why = "this connection cannot hold two runs at the same time, with plain names either";
  return checks.map((check) =>
    check.id?.endsWith("-both") ? unjudged(check.id, check.at, why) : check,
  );
}

export const journalRunNameClauses: JournalClauseTable = {
  "journal.runs": {
    rule: "Runs are distinguished by their whole names, also if these differ only in case, in a slash, in a space or in the form of a letter.",
    references: {
      "MervinPraison/PraisonAI#4120":
        "ids were cleaned to names of files, and one session overwrote another that had nothing to do with it",
      "stacklok/mecatl#441": "two ids became one file",
    },
    question: askStore(checkRunNames),
    mutants: {
      "names files after runs, without the characters that files cannot have": alterOpen(
        (open, runId, signal) => open(runId.replaceAll(/[^\w. -]/g, "_"), signal),
      ),
      "ignores the case of runs": alterOpen((open, runId, signal) =>
        open(runId.toLowerCase(), signal),
      ),
      "normalizes runs": alterOpen((open, runId, signal) => open(runId.normalize("NFC"), signal)),
    },
  },
};
