import type { JournalTable } from "@fullstop/loop/journal";
import type { Connection } from "./connection.ts";
import { hasEnded, thisHolder } from "./holder.ts";
import { fromSql, type SqlText, toSql } from "./sql-text.ts";
import { isTransient } from "./sqlite-error.ts";
import type { Statements } from "./statements.ts";

/** The lease of a run is its row in `runs`. The clock is that of the machine. */
export function journalTable({ read, write }: Connection, maxStepBytes: number): JournalTable {
  return {
    maxStepBytes,
    claim: (id, leaseMs) =>
      write((statements) => {
        const runId = toSql(id);
        const now = Date.now();
        const held = findLease(statements, runId, now);
        if (held !== undefined) return { granted: false, ...held };
        const fence = Number(statements.nextFence.get()?.["fence"]);
        statements.insertRun.run({ runId, fence, leaseMs, holder: thisHolder(), now });
        return { granted: true, fence };
      }),
    renew: (id, fence, leaseMs) =>
      write(({ renew }) => {
        const { changes } = renew.run({ runId: toSql(id), fence, leaseMs, now: Date.now() });
        return changes > 0;
      }),
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
      const values = { runId: toSql(id), fence, key: toSql(key), kind };
      const text = json === undefined ? null : toSql(json);
      return write((statements) => {
        const { changes } = statements.write.run({ ...values, json: text, now: Date.now() });
        return changes > 0;
      });
    },
    release: (id, fence, end) => {
      const calls = end?.calls === undefined ? null : JSON.stringify(end.calls);
      const values = { runId: toSql(id), fence, status: end?.status ?? null, calls };
      return write(({ release }) => {
        release.run({ ...values, now: Date.now() });
      });
    },
    isTransient,
  };
}

interface StepRow {
  readonly key: SqlText;
  readonly json: SqlText | null;
}

/** The lease that has not ended, of a process that may live. If the clock was set back, the lease ends after its own time. */
function findLease(
  { findLease: find, shortenLease }: Statements,
  runId: SqlText,
  now: number,
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
