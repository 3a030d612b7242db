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
import { cache, root, sh, step } from "@tooling/install/process";
import { quiet } from "@tooling/install/tool";

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly version?: string;
  readonly dependencies?: Versions;
}

export const examples: string = join(root, "packages/conformance-cli/examples");
const manifestIn = (folder: string): string => join(folder, "package.json");
const read = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8")) as Manifest;

/** What a driver has from npm; nothing where it needs nothing, or belongs to the workspace, which has installed it. */
export function peersOf(driver: string): Versions {
  const file = manifestIn(driver);
  const { dependencies = {} } = existsSync(file) ? read(file) : {};
  return Object.values(dependencies).some((version) => version.startsWith("workspace:"))
    ? {}
    : dependencies;
}

/** The first of npm's own sentences about what it could not do. */
function problemOf(thrown: unknown): string {
  const lines = thrown instanceof Error ? thrown.message.split("\n") : [String(thrown)];
  const told = lines
    .filter((line) => /^npm error (?!code|syscall|path|errno)/.test(line))
    .map((line) => line.replace(/^npm error (\w+ )?/, ""));
  return told[0] ?? lines[0] ?? "";
}

/** The folder in which a driver can be started: its own, or a copy of it in the cache with what it has from npm. Rejects with why it could not be made. */
export async function prepared(driver: string, name: string): Promise<string> {
  if (Object.keys(peersOf(driver)).length === 0) return driver;
  const folder = join(cache, "field", name);
  const wanted = readFileSync(manifestIn(driver), "utf8");
  if (
    !existsSync(join(folder, "installed")) ||
    readFileSync(join(folder, "installed"), "utf8") !== wanted
  )
    await step(`installing ${name}`, () => install(driver, folder)).catch((thrown: unknown) => {
      throw new Error(`It cannot be installed: ${problemOf(thrown)}`, { cause: thrown });
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
    await sh(["npm", "install", "--no-package-lock", "--ignore-scripts", ...quiet], {
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

/** The versions of what was installed, by package. */
export function versionsIn(driver: string, folder: string): Versions {
  const { dependencies = {} } = existsSync(manifestIn(driver)) ? read(manifestIn(driver)) : {};
  const installed = Object.keys(dependencies).map((name) => [
    name,
    read(manifestIn(join(folder, "node_modules", name))).version ?? "",
  ]);
  return Object.fromEntries(installed) as Versions;
}

/** Puts the newest versions into a driver's package.json, if npm can install them; else it stays as it was. Says what was done. */
export async function updated(driver: string, name: string): Promise<string> {
  const file = manifestIn(driver);
  const peers = peersOf(driver);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const newest = await Promise.all(
    Object.keys(peers).map(async (peer) => [
      peer,
      (await sh(["npm", "view", peer, "version", "--loglevel=error"], { cwd: driver })).trim(),
    ]),
  );
  const changed = newest.filter(([peer = "", version]) => peers[peer] !== version);
  if (changed.length === 0) return `${name} is as new as can be`;
  writeFileSync(
    file,
    `${JSON.stringify({ ...JSON.parse(before), dependencies: Object.fromEntries(newest) }, null, 2)}\n`,
  );
  const names = changed.map((pair) => pair.join(" ")).join(", ");
  try {
    await prepared(driver, name);
    return `${name} has ${names} now`;
  } catch (thrown) {
    writeFileSync(file, before);
    return `${name} stays as it was, for ${names}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
