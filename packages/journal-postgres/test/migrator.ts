import { once } from "node:events";
import { postgresJournal } from "@fullstop/journal-postgres";
import pg from "pg";

/** Waits for a word, and records a run. */
const [, , url = "", runId = ""] = process.argv;
const pool = new pg.Pool({ connectionString: url });
console.log("ready");
await once(process.stdin, "data");
const lease = await postgresJournal(pool).open(runId);
await lease.end({ key: "k", kind: "tool" }, "1");
await lease.close({ status: "done" });
await pool.end();
process.exit(0);
