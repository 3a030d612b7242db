import { deletedError, type JournalTable } from "@fullstop/loop/journal";
import { fromSql, type SqlText, toSql } from "./sql-text.ts";
import { isTransient } from "./sqlite-error.ts";
import type { Statements } from "./statements.ts";

/** A database in which statements run. */
export interface Connection {
  read<T>(work: (statements: Statements) => T): Promise<T>;
  /** In a transaction. Resolves when it is durable. */
  write<T>(work: (statements: Statements) => T): Promise<T>;
}

/** What differs between databases. */
export interface TableOptions {
  readonly maxStepBytes: number;
  /** Who takes a lease here. `null`: others cannot see whether the holder has ended. */
  readonly thisHolder: () => string | null;
  /** The holder has ended for certain, so its lease need not be waited for. */
  readonly hasEnded: (holder: unknown) => boolean;
}

/** The lease of a run is its row in the table of runs. The clock is that of the machine. */
export function journalTable(
  { read, write }: Connection,
  { maxStepBytes, thisHolder, hasEnded }: TableOptions,
): JournalTable {
  /** Changes a run, unless it has another fence: then the statement changes nothing. */
  const change = async (
    id: string,
    work: (statements: Statements, runId: SqlText) => { readonly changes: number | bigint },
  ): Promise<boolean> => {
    const runId = toSql(id);
    // An error inside the transaction would also end what other runs write in it.
    const holder = await write((statements) => {
      if (work(statements, runId).changes > 0) return "caller";
      return statements.findLease.get({ runId }) === undefined ? "none" : "other";
    });
    if (holder === "none") throw deletedError(`The run "${id}" was deleted from the SQLite file`);
    return holder === "caller";
  };
  return {
    maxStepBytes,
    claim: (id, leaseMs) =>
      write((statements) => {
        const runId = toSql(id);
        const now = Date.now();
        const held = findLease(statements, { runId, now, hasEnded });
        if (held !== undefined) return { granted: false, ...held };
        const fence = Number(statements.nextFence.get({})?.["fence"]);
        statements.insertRun.run({ runId, fence, leaseMs, holder: thisHolder(), now });
        return { granted: true, fence };
      }),
    renew: (id, fence, leaseMs) =>
      change(id, ({ renew }, runId) => renew.run({ runId, fence, leaseMs, now: Date.now() })),
    async *load(id) {
      const runId = toSql(id);
      for (let after: SqlText | number | undefined = 0; after !== undefined; ) {
        const from: SqlText | number = after;
        const rows: readonly StepRow[] = await read(
          ({ load }) => load.all({ runId, after: from }) as unknown as StepRow[],
        );
        yield rows.map(({ key, json }) => ({
          key: fromSql(key),
          json: json === null ? undefined : fromSql(json),
        }));
        after = rows.at(-1)?.key;
      }
    },
    write: (id, fence, { step: { key, kind }, json }) => {
      const values = {
        fence,
        key: toSql(key),
        kind,
        json: json === undefined ? null : toSql(json),
      };
      return change(id, (statements, runId) =>
        statements.write.run({ ...values, runId, now: Date.now() }),
      );
    },
    release: (id, fence, end) => {
      const calls = end?.calls === undefined ? null : JSON.stringify(end.calls);
      const values = { fence, status: end?.status ?? null, calls };
      return change(id, ({ release }, runId) => release.run({ ...values, runId, now: Date.now() }));
    },
    isTransient,
  };
}

interface StepRow {
  readonly key: SqlText;
  readonly json: SqlText | null;
}

interface LeaseQuestion extends Pick<TableOptions, "hasEnded"> {
  readonly runId: SqlText;
  readonly now: number;
}
/** The lease that has not ended, of a process that may live. If the clock was set back, the lease ends after its own time. */
function findLease(
  { findLease: find, shortenLease }: Statements,
  { runId, now, hasEnded }: LeaseQuestion,
): { readonly renewal: string; readonly freeInMs: number } | undefined {
  const row = find.get({ runId });
  const until = Number(row?.["lease_until"] ?? 0);
  if (row === undefined || until <= now || hasEnded(row["holder"])) return undefined;
  const leaseMs = Number(row["lease_ms"]);
  if (until - now > leaseMs) shortenLease.run({ runId, now });
  return {
    renewal: `${row["fence"]}/${row["renewals"]}`,
    freeInMs: Math.min(until - now, leaseMs),
  };
}
