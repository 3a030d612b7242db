import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, scratch } from "@tooling/publish/process";
import {
  MissingServiceError,
  type RestateService,
  type Service,
  startPostgres,
  startRestate,
} from "@tooling/test/services";
import pg from "pg";
import { startProxy } from "./proxy.ts";
import { restateEngine } from "./restate-engine.ts";
import type { OpenedRow } from "./scenarios/scenario.ts";
import type { FaultName, RowName } from "./spec.ts";

/** Milliseconds of the leases, short, because each kill waits for the end of one. */
const rowLeaseMs = 1000;

export interface StartedRow extends OpenedRow {
  readonly version: string;
  stop(): Promise<void>;
}

type OpenRow = (folder: string) => Promise<StartedRow>;
const stop = async (): Promise<void> => {};

const embedded =
  (row: RowName | FaultName): OpenRow =>
  async (folder) => ({
    place: { row, folder, url: "", leaseMs: rowLeaseMs },
    version: `Node ${process.versions.node}`,
    stop,
  });

/** Starts a server, with a proxy in front of it. */
async function serve(
  row: RowName,
  folder: string,
  server: Service,
): Promise<Pick<StartedRow, "place" | "server" | "proxy" | "stop">> {
  const url = new URL(server.url);
  const target = Number(url.port);
  const proxy = await startProxy(() => target);
  url.port = String(proxy.port);
  return {
    place: { row, folder, url: url.href, leaseMs: rowLeaseMs },
    server,
    proxy,
    stop: async () => {
      proxy.close();
      await server.stop();
    },
  };
}

async function postgresVersion({ url }: Service): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: found } = await client.query<{ readonly server_version: string }>(
      "show server_version",
    );
    return `PostgreSQL ${found[0]?.server_version}`;
  } finally {
    await client.end();
  }
}

/** The first start of DBOS creates its tables. Several first starts at once may fail. */
async function migrateDbos({ url }: Service): Promise<void> {
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  DBOS.setConfig({ name: "durable", systemDatabaseUrl: url, logLevel: "error" });
  await DBOS.launch();
  await DBOS.shutdown();
}

function dbosVersion(): string {
  const file = join(root, "tooling/durable/node_modules/@dbos-inc/dbos-sdk/package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}

async function restateVersion({ adminUrl }: RestateService): Promise<string> {
  const response = await fetch(`${adminUrl}/version`);
  const { version } = (await response.json()) as { readonly version: string };
  return `Restate ${version}`;
}

/**
 * Starts a row in a new folder, calls `use`, and stops the row. Resolves with the reason if what it
 * needs cannot be had.
 */
export async function withRow<Value>(
  row: RowName,
  name: string,
  use: (started: StartedRow) => Promise<Value>,
): Promise<Value | { readonly skipped: string }> {
  const folder = join(scratch(name), row);
  mkdirSync(folder);
  let started: StartedRow;
  try {
    started = await rows[row](folder);
  } catch (thrown) {
    if (!(thrown instanceof MissingServiceError)) throw thrown;
    return { skipped: thrown.message };
  }
  try {
    return await use(started);
  } finally {
    await started.stop();
  }
}

/** Starts what each row needs. Rejects with a `MissingServiceError` if it cannot be had. */
const rows: Readonly<Record<RowName, OpenRow>> = {
  file: embedded("file"),
  sqlite: embedded("sqlite"),
  postgres: async (folder) => {
    const server = await startPostgres();
    return { ...(await serve("postgres", folder, server)), version: await postgresVersion(server) };
  },
  restate: async (folder) => {
    const server = await startRestate();
    const engine = restateEngine(server.url, server.adminUrl);
    const served = await serve("restate", folder, server);
    const stopServer = async (): Promise<void> => {
      engine.close();
      await served.stop();
    };
    const place = { ...served.place, adminUrl: server.adminUrl };
    return { ...served, place, engine, version: await restateVersion(server), stop: stopServer };
  },
  dbos: async (folder) => {
    const server = await startPostgres();
    await migrateDbos(server);
    const version = `DBOS ${dbosVersion()}, ${await postgresVersion(server)}`;
    return { ...(await serve("dbos", folder, server)), version };
  },
};
export const openFault = (fault: FaultName, folder: string): Promise<StartedRow> =>
  embedded(fault)(folder);
