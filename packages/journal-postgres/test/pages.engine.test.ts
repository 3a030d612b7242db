import { type PostgresPool, postgresJournal } from "@fullstop/journal-postgres";
import type { RunStatus } from "@fullstop/loop/journal";
import { expect, test } from "vitest";
import { startDatabase } from "./database.ts";

const database = await startDatabase();
const operator = database.pool();

/** The pool, and the statements that were sent through it. */
function watched() {
  const sent: { readonly text: string; readonly values: unknown[] }[] = [];
  const pool: PostgresPool = {
    on: () => {},
    connect: async () => {
      const client = await operator.connect();
      return {
        query: (text, values = []) => {
          sent.push({ text, values });
          return client.query(text, values);
        },
        release: (destroy) => client.release(destroy),
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
      };
    },
  };
  return { pool, sent };
}

const statuses: readonly (RunStatus | undefined)[] = [undefined, "done", "failed"];
test("a page of runs is read in the order of an index, from the first to the last page", async () => {
  const { pool, sent } = watched();
  const journal = postgresJournal(pool, { schema: "pages" });
  await journal.migrate();
  await operator.query(
    `insert into pages.journal_runs (run_id, fence, status, created_at)
     select 'run ' || n, 1, case n % 3 when 0 then 'failed' else 'done' end,
       '2026-01-01'::timestamptz + n * interval '1 ms'
     from generate_series(1, 20000) as n`,
  );
  await operator.query("analyze pages.journal_runs");
  const after = { createdAt: new Date("2026-01-01T00:00:10Z"), runId: "run 10000" };
  for (const status of statuses)
    for (const from of [undefined, after]) {
      sent.length = 0;
      const page = await journal.listRuns({ status, after: from, limit: 10 });
      expect(page).toHaveLength(10);
      const { text = "", values = [] } = sent.at(-1) ?? {};
      const { rows } = await operator.query(`explain ${text}`, values);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).toContain("Index Scan");
      expect(plan).not.toContain("Sort");
    }
});
