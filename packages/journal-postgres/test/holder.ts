import { once } from "node:events";
import { createInterface } from "node:readline";
import { postgresJournal } from "@fullstop/journal-postgres";
import pg from "pg";

/** Opens a run and begins a step. Ends the step when it gets a line, and prints the result. */
const [, , url = "", runId = "", leaseMs = ""] = process.argv;
const pool = new pg.Pool({ connectionString: url });
const lease = await postgresJournal(pool, { leaseMs: Number(leaseMs) }).open(runId);
const step = { key: `${runId}/1/1`, kind: "tool" } as const;
await lease.begin(step);
console.log("begun");
await once(createInterface({ input: process.stdin }), "line");
try {
  await lease.end(step, '"late"');
  console.log("ended step");
} catch (thrown) {
  const { name, message, kind } = thrown as Error & { kind?: string };
  console.log(JSON.stringify({ name, kind, message, aborted: lease.lost.aborted }));
}
await lease.close();
await pool.end();
process.exit(0);
