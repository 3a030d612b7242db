import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPrograms } from "./find-program.ts";
import { findFreePort } from "./free-port.ts";
import { installPackage, mayInstall } from "./install-package.ts";
import { serve } from "./serve.ts";
import { MissingServiceError, type Service } from "./service.ts";

/** How `startRestate` starts the server. */
export interface RestateOptions {
  /** Environment variables of the server, such as `{ RESTATE_WORKER__INVOKER__ABORT_TIMEOUT: "2s" }`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the server may be installed from npm. Default: `FULLSTOP_INSTALL_SERVICES=1`. */
  readonly install?: boolean;
}

/** `url` takes invocations (the ingress). */
export interface RestateService extends Service {
  /** Takes deployments, cancellations and queries. */
  readonly adminUrl: string;
}

/** The server of the npm package, if the machine has none. Its license is the BSL. */
const restateVersion = "1.7.12";
const packaged: readonly NodeJS.Platform[] = ["darwin", "linux"];

/** One partition and little memory, so that the server is up in about a second. */
const smallSettings = {
  RESTATE_DEFAULT_NUM_PARTITIONS: "1",
  RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "256MB",
  RESTATE_DISABLE_TELEMETRY: "true",
  RESTATE_LISTEN_MODE: "tcp",
  RESTATE_LOG_DISABLE_ANSI_CODES: "true",
  RESTATE_NODE_NAME: "fullstop",
};

/**
 * Starts Restate without data: the server of this machine, or the one of the npm package
 * `@restatedev/restate-server`. The server ends with this process at the latest.
 * @throws MissingServiceError if this machine has none, and none may be installed.
 */
export async function startRestate(options: RestateOptions = {}): Promise<RestateService> {
  const program = await findRestate(options);
  const folder = await mkdtemp(join(tmpdir(), "fullstop-restate-"));
  try {
    return await startIn(folder, program, options);
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  }
}

async function findRestate({ install = mayInstall() }: RestateOptions): Promise<string> {
  const found = findPrograms(["restate-server"]);
  if (found !== undefined) return join(found, "restate-server");
  if (!install || !packaged.includes(process.platform))
    throw new MissingServiceError(
      "Restate was not found. Install it (`brew install restatedev/tap/restate-server`), or set FULLSTOP_INSTALL_SERVICES=1 to install it from npm into node_modules/.cache (216 MB).",
    );
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  return join(await installPackage(name, restateVersion), "bin/restate-server");
}

async function startIn(
  folder: string,
  program: string,
  { env }: RestateOptions,
): Promise<RestateService> {
  const [ingress, admin, node] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const adminUrl = `http://127.0.0.1:${admin}`;
  const url = `http://127.0.0.1:${ingress}`;
  const addresses = {
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
  };
  const service = await serve({
    command: [program, "--no-logo", "--base-dir", join(folder, "data")],
    folder,
    log: join(folder, "log"),
    env: { ...smallSettings, ...addresses, ...env },
    stopSignal: "SIGTERM",
    url,
    isReady: async () =>
      (await isOk(`${adminUrl}/health`)) && (await isOk(`${url}/restate/health`)),
  });
  return Object.defineProperty(service as RestateService, "adminUrl", { value: adminUrl });
}

const isOk = async (address: string): Promise<boolean> =>
  (await fetch(address, { signal: AbortSignal.timeout(5000) })).ok;
