import { createRequire } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { installPackage, mayInstall } from "./install-package.ts";
import { MissingServiceError } from "./service.ts";

/** The program that runs workerd on this machine. It brings workerd with it. */
export const miniflareVersion = "4.20260730.0";

/** How `startWorkerd` starts a Worker. */
export interface WorkerOptions {
  /** The module of the Worker. */
  readonly entry: string;
  /** The classes of Durable Objects that it exports, by the names of their bindings. */
  readonly objects: Readonly<Record<string, string>>;
  readonly bindings?: Readonly<Record<string, string>>;
  /** Where what the objects store is kept. Default: in memory. */
  readonly folder?: string;
  /** The address that gets each request of the Worker, such as `127.0.0.1:8080`. Default: none. */
  readonly upstream?: string;
}

/** A Worker that runs in workerd. */
export interface Worker {
  /** Resolves when workerd runs. */
  readonly ready: Promise<unknown>;
  dispatchFetch(url: string): Promise<Response>;
  /** Ends workerd by SIGKILL. */
  dispose(): Promise<void>;
}

/**
 * Bundles a Worker from the sources of this repository, and runs it.
 * @throws MissingServiceError if miniflare may not be installed.
 */
export async function startWorkerd(options: WorkerOptions): Promise<Worker> {
  const { entry, objects, bindings = {}, folder, upstream = "127.0.0.1:9" } = options;
  if (!mayInstall())
    throw new MissingServiceError(
      "workerd was not found. Set FULLSTOP_INSTALL_SERVICES=1 to install it with miniflare from npm into node_modules/.cache (174 MB).",
    );
  const home = await installPackage("miniflare", miniflareVersion);
  const { Miniflare } = createRequire(join(home, "package.json"))("miniflare") as {
    readonly Miniflare: new (options: object) => Worker;
  };
  const durableObjects = Object.entries(objects).map(
    ([name, className]) => [name, { className, useSQLite: true }] as const,
  );
  return new Miniflare({
    modules: [{ type: "ESModule", path: "worker.mjs", contents: await bundle(entry) }],
    compatibilityDate: "2026-07-01",
    compatibilityFlags: ["nodejs_compat"],
    cf: false,
    durableObjects: Object.fromEntries(durableObjects),
    bindings,
    outboundService: { external: { address: upstream, http: {} } },
    ...(folder !== undefined && { durableObjectsPersist: folder }),
  });
}

async function bundle(entry: string): Promise<string> {
  const bundled = await rolldown({
    input: entry,
    resolve: {
      conditionNames: ["@fullstop/source", "workerd", "import", "default"],
      mainFields: ["module", "main"],
    },
    external: /^node:/,
    platform: "neutral",
    logLevel: "silent",
  });
  const { output } = await bundled.generate({ codeSplitting: false });
  await bundled.close();
  return output[0].code;
}
