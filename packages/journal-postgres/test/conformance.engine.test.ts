import { journalConformance } from "@fullstop/conformance/journal";
import { postgresJournal } from "@fullstop/journal-postgres";
import pg from "pg";
import { startDatabase } from "./database.ts";

const database = await startDatabase();
const operator = database.pool();
let stores = 0;

/** Each store is a schema, and each connection has its own pool. */
journalConformance({
  name: "postgresJournal",
  create: ({ leaseMs }) => {
    const schema = `store ${++stores}`;
    const pools: pg.Pool[] = [];
    return {
      connect: () => {
        const pool = new pg.Pool({ connectionString: database.url });
        pools.push(pool);
        return postgresJournal(pool, { schema, leaseMs });
      },
      block: async () => {
        const client = await operator.connect();
        await client.query(`begin; lock table "${schema}".journal_steps in access exclusive mode`);
        return async () => {
          await client.query("rollback");
          client.release();
        };
      },
      remove: async () => {
        await operator.query(`delete from "${schema}".journal_runs`);
      },
      close: async () => {
        await Promise.all(pools.map((pool) => pool.end()));
      },
    };
  },
});
