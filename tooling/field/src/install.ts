import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { cache, root, runProgram, step } from "@tooling/install/process";
import { npmOptions } from "@tooling/install/tool";

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly version?: string;
  readonly dependencies?: Versions;
}

export const examples: string = join(root, "packages/conformance-cli/examples");
const manifestIn = (folder: string): string => join(folder, "package.json");
const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8")) as Manifest;

/**
 * The npm dependencies of a driver. Empty if it has none or belongs to the workspace, which has
 * installed them.
 */
export function peersOf(driver: string): Versions {
  const file = manifestIn(driver);
  const { dependencies = {} } = existsSync(file) ? readManifest(file) : {};
  return Object.values(dependencies).some((version) => version.startsWith("workspace:"))
    ? {}
    : dependencies;
}

/** The first sentence of npm's error output. */
function problemOf(thrown: unknown): string {
  const lines = thrown instanceof Error ? thrown.message.split("\n") : [String(thrown)];
  const told = lines
    .filter((line) => /^npm error (?!code|syscall|path|errno)/.test(line))
    .map((line) => line.replace(/^npm error (\w+ )?/, ""));
  return told[0] ?? lines[0] ?? "";
}

/**
 * The folder in which a driver can start: its own, or a copy in the cache with its npm
 * dependencies. Rejects if the installation fails.
 */
export async function prepareDriver(driver: string, name: string): Promise<string> {
  if (Object.keys(peersOf(driver)).length === 0) return driver;
  const folder = join(cache, "field", name);
  const wanted = readFileSync(manifestIn(driver), "utf8");
  if (
    !existsSync(join(folder, "installed")) ||
    readFileSync(join(folder, "installed"), "utf8") !== wanted
  )
    await step(`installing ${name}`, () => install(driver, folder)).catch((thrown: unknown) => {
      throw new Error(`The installation failed: ${problemOf(thrown)}`, { cause: thrown });
    });
  cpSync(driver, folder, {
    recursive: true,
    filter: (path) => !path.includes("node_modules", driver.length),
  });
  return folder;
}

async function install(driver: string, folder: string): Promise<void> {
  const partial = `${folder}.${process.pid}`;
  const wanted = readFileSync(manifestIn(driver), "utf8");
  const drop = (): void => rmSync(partial, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", drop);
  try {
    mkdirSync(partial, { recursive: true });
    writeFileSync(manifestIn(partial), wanted);
    await runProgram(["npm", "install", "--no-package-lock", "--ignore-scripts", ...npmOptions], {
      cwd: partial,
    });
    writeFileSync(join(partial, "installed"), wanted);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    process.off("exit", drop);
    drop();
  }
}

/** The installed versions, by package. */
export function versionsIn(driver: string, folder: string): Versions {
  const { dependencies = {} } = existsSync(manifestIn(driver))
    ? readManifest(manifestIn(driver))
    : {};
  const installed = Object.keys(dependencies).map((name) => [
    name,
    readManifest(manifestIn(join(folder, "node_modules", name))).version ?? "",
  ]);
  return Object.fromEntries(installed) as Versions;
}

/**
 * Writes the newest versions into the package.json of a driver, if npm can install them. Returns a
 * sentence about the result.
 */
export async function updateVersions(driver: string, name: string): Promise<string> {
  const file = manifestIn(driver);
  const peers = peersOf(driver);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const newest = await Promise.all(
    Object.keys(peers).map(async (peer) => [
      peer,
      (
        await runProgram(["npm", "view", peer, "version", "--loglevel=error"], { cwd: driver })
      ).trim(),
    ]),
  );
  const changed = newest.filter(([peer = "", version]) => peers[peer] !== version);
  if (changed.length === 0) return `${name} is up to date`;
  writeFileSync(
    file,
    `${JSON.stringify({ ...JSON.parse(before), dependencies: Object.fromEntries(newest) }, null, 2)}\n`,
  );
  const names = changed.map((pair) => pair.join(" ")).join(", ");
  try {
    await prepareDriver(driver, name);
    return `${name} now has ${names}`;
  } catch (thrown) {
    writeFileSync(file, before);
    return `${name} was not changed, because the installation of ${names} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
