import type { JournalStep } from "@fullstop/loop/journal";
import { MissingServiceError, type Service, startPostgres } from "@tooling/test/services";
import pg from "pg";
import { afterAll, beforeEach } from "vitest";

/** A server for the tests of one file. */
export interface Database extends Service {
  /** A pool that ends after the tests. */
  pool(config?: pg.PoolConfig): pg.Pool;
  /** The URL of a new, empty database on the server. */
  createDatabase(): Promise<string>;
}

/** Starts PostgreSQL. If this machine has none, each test of the file is skipped with a sentence. */
export async function startDatabase(): Promise<Database> {
  const service = await startPostgres().catch((thrown: unknown) => {
    if (!(thrown instanceof MissingServiceError)) throw thrown;
    beforeEach(({ skip }) => skip(thrown.message));
    return unavailable;
  });
  const pools: pg.Pool[] = [];
  afterAll(async () => {
    for (const pool of pools) pool.on("error", () => {}); // `end` does not wait for the sockets
    await Promise.all(pools.map((pool) => pool.end()));
    await service.stop();
  });
  const pool = (config?: pg.PoolConfig): pg.Pool => {
    const made = new pg.Pool({ connectionString: service.url, ...config });
    pools.push(made);
    return made;
  };
  const administrator = pool({ max: 1 }).on("error", () => {});
  let databases = 0;
  const createDatabase = async (): Promise<string> => {
    const name = `empty_${++databases}`;
    await administrator.query(`create database ${name}`);
    return service.url.replace(/[^/]*$/, name);
  };
  return Object.assign(Object.create(service), { pool, createDatabase });
}

/** What the tests see of a server that is missing. They are skipped before they use it. */
const unavailable: Service = {
  url: "postgres://missing.invalid/postgres",
  pid: 0,
  stop: async () => {},
  kill: async () => {},
  restart: async () => {},
};

export const step = (key: string): JournalStep => ({ key, kind: "tool" });
