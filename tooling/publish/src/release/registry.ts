import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { start } from "../install/process.ts";
import { installTool } from "../install/tool.ts";

const verdaccio = {
  name: "verdaccio",
  version: "6.10.4",
  overrides: { "node-fetch": "2.7.0" },
} as const;

/**
 * Accepts our packages, and fetches all other packages from npm. The configuration is
 * JSON, which is valid YAML.
 */
const own = { access: "$all", publish: "$all" };
const configuration = (storage: string): object => ({
  storage,
  uplinks: { npmjs: { url: process.env["npm_config_registry"] ?? "https://registry.npmjs.org/" } },
  packages: {
    "@fullstop/*": own,
    fullstop: own,
    "**": { access: "$all", proxy: "npmjs" },
  },
  auth: { htpasswd: { file: join(storage, "htpasswd") } },
  log: { type: "stdout", level: "warn" },
  max_body_size: "100mb",
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string")
    throw new Error("The loopback has no free port.");
  return address.port;
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}-/ping`).then(
    ({ ok }) => ok,
    () => false,
  );

export interface Registry {
  /** Ends with a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a registry on the loopback and waits for its first answer. It stores its data in `folder`.
 */
export async function startRegistry(folder: string): Promise<Registry> {
  const program = join(await installTool(verdaccio), "node_modules/verdaccio/bin/verdaccio");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "config.yaml"),
    JSON.stringify(configuration(join(folder, "storage"))),
  );
  const child = start(
    [process.execPath, program, "--config", "config.yaml", "--listen", `127.0.0.1:${port}`],
    { cwd: folder },
  );
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece: Buffer) => output.push(piece));
  while (!(await answers(url))) {
    if (child.exitCode !== null)
      throw new Error(
        `The local registry ended with ${child.exitCode}:\n${Buffer.concat(output).toString()}`,
      );
    await wait(100);
  }
  return {
    url,
    close: async () => {
      const closed = once(child, "close");
      child.kill();
      await closed;
    },
  };
}
