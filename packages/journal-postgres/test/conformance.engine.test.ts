import { journalConformance } from "@fullstop/conformance/journal";
import { postgresJournal } from "@fullstop/journal-postgres";
import pg from "pg";
import { startDatabase } from "./database.ts";

const database = await startDatabase();
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
      close: async () => {
        await Promise.all(pools.map((pool) => pool.end()));
      },
    };
  },
});
