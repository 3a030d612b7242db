import { type PostgresJournal, postgresJournal } from "@fullstop/journal-postgres";
import pg from "pg";
import type { Engine } from "./engines/engine.ts";

/** The engines that can hold the queue. */
export const engineNames = ["dbos", "restate"] as const;
type EngineName = (typeof engineNames)[number];

/** The options that every command has. */
export interface CommonOptions {
  readonly engine: EngineName;
  readonly database: string;
  readonly leaseSeconds: number;
  readonly pollSeconds: number;
  readonly restateIngress: string;
  readonly restateAdmin: string;
  readonly restateWorkers: string;
  readonly restateHost: string;
}

/** What every command works with. */
export interface Setup {
  readonly journal: PostgresJournal;
  readonly engine: Engine;
}

/** Loads one engine. Each has its queue; the steps of the runs are in PostgreSQL in both cases. */
const engines: Readonly<
  Record<EngineName, (options: CommonOptions, journal: PostgresJournal) => Promise<Engine>>
> = {
  dbos: async ({ database, leaseSeconds, pollSeconds }, { listRuns }) => {
    const { dbosEngine } = await import("./engines/dbos.ts");
    const times = { leaseMs: leaseSeconds * 1000, pollMs: pollSeconds * 1000 };
    return dbosEngine({ databaseUrl: database, listRuns, ...times });
  },
  restate: async (options) => {
    const { restateEngine } = await import("./engines/restate.ts");
    return restateEngine({
      ingressUrl: options.restateIngress,
      adminUrl: options.restateAdmin,
      workersUrl: options.restateWorkers,
      host: options.restateHost,
    });
  },
};

/** Connects to the database and to the engine, and ends both after `use`. */
export async function withSetup<T>(
  options: CommonOptions,
  use: (setup: Setup) => Promise<T>,
): Promise<T> {
  const { database, leaseSeconds } = options;
  const pool = new pg.Pool({ connectionString: database, connectionTimeoutMillis: 10_000 });
  try {
    await assertReachable(pool);
    const journal = postgresJournal(pool, { leaseMs: leaseSeconds * 1000 });
    const engine = await engines[options.engine](options, journal);
    try {
      return await use({ journal, engine });
    } finally {
      await engine.close();
    }
  } finally {
    await pool.end();
  }
}

async function assertReachable(pool: pg.Pool): Promise<void> {
  try {
    await pool.query("select 1");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Error(
      `PostgreSQL cannot be used: ${message || code}. Check --database (or DATABASE_URL), and whether the server runs.`,
      { cause },
    );
  }
}
