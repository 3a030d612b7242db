import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { driverFolder, type NewestRelease } from "@tooling/docs/field";
import { cache, root, step } from "@tooling/publish/process";
import type { System } from "./system.ts";
import { toolchains } from "./toolchains/table.ts";
import type { Place, Toolchain, Versions } from "./toolchains/toolchain.ts";

/** The folder of a driver: in a folder with drivers, or in this repository. */
const driverOf = ({ name }: System, drivers?: string): string =>
  drivers === undefined ? join(root, driverFolder(name)) : join(drivers, name);

/** A system that can start. */
export interface PreparedSystem {
  readonly command: readonly string[];
  /** The versions of its packages, and of what runs or compiles it. */
  readonly versions: Versions;
}

/** The interpreter or compiler of a system is missing on this machine. */
export class MissingToolchain extends Error {}

/** Npm, uv, Go, Cargo and Maven begin the line that matters with one of these. */
const problemStart =
  /^\s*(?:npm error(?! (?:code|syscall|path|errno)\b)(?: \w+)?|error:|×|go:|\[ERROR\])\s*/i;

/** The first line of an installer's output that names the problem. */
function problemOf(thrown: unknown): string {
  const lines = (thrown instanceof Error ? thrown.message : String(thrown)).split("\n");
  const told = lines.find((line) => problemStart.test(line))?.replace(problemStart, "");
  return told ?? lines[0] ?? "";
}

const readLocks = ({ locks }: Toolchain, driver: string): string =>
  locks
    .map((name) => join(driver, name))
    .map((file) => (existsSync(file) ? readFileSync(file, "utf8") : ""))
    .join("\n");

const placeOf = (
  system: Pick<System, "name" | "language">,
  driver: string,
  program: string,
): Place => ({
  driver,
  folder: toolchains[system.language].needsPackages(driver)
    ? join(cache, "field", system.name)
    : driver,
  program,
});

/** Installs the locked packages, if they are not there. Rejects with a sentence. */
async function installPackages(name: string, toolchain: Toolchain, place: Place): Promise<void> {
  const { driver, folder } = place;
  const installed = join(folder, "installed");
  const wanted = readLocks(toolchain, driver);
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return;
  // Environments cannot be moved, so an unfinished folder is removed instead of renamed.
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(folder, { recursive: true });
  await step(`installing ${name}`, () => toolchain.install(place));
  writeFileSync(installed, wanted);
}

const resolveWords = (words: readonly string[], folder: string): readonly string[] =>
  words.map((word) => (existsSync(join(folder, word)) ? join(folder, word) : word));

const findToolchain = ({ find }: Toolchain): ReturnType<Toolchain["find"]> =>
  find().catch((thrown: unknown) => {
    throw new MissingToolchain(thrown instanceof Error ? thrown.message : String(thrown));
  });

/**
 * Installs and builds the driver of a system. Rejects with a sentence: `MissingToolchain`, or what
 * the installer says.
 */
export async function prepareSystem(system: System, drivers?: string): Promise<PreparedSystem> {
  const toolchain = toolchains[system.language];
  const driver = driverOf(system, drivers);
  const { program, version } = await findToolchain(toolchain);
  const place = placeOf(system, driver, program);
  try {
    if (place.folder !== driver) await installPackages(system.name, toolchain, place);
    await toolchain.build?.(place);
  } catch (thrown) {
    throw new Error(`The installation failed: ${problemOf(thrown)}`, { cause: thrown });
  }
  return {
    command: system.start ? resolveWords(system.start, place.folder) : toolchain.start(place),
    versions: { ...toolchain.versions(place), [program]: version },
  };
}

/** The newest release of a system's package, if it has one and its registry answers. */
export async function findNewest(
  system: System,
  drivers?: string,
): Promise<NewestRelease | undefined> {
  const { name, language, package: asked } = system;
  if (asked === undefined) return undefined;
  const toolchain = toolchains[language];
  const driver = driverOf(system, drivers);
  try {
    const { program } = await toolchain.find();
    const version = await toolchain.newest(asked, placeOf(system, driver, program));
    return version ? { version, at: new Date().toISOString() } : undefined;
  } catch (thrown) {
    process.stderr.write(`${name}: its newest release is not known: ${problemOf(thrown)}\n`);
    return undefined;
  }
}

/**
 * Writes the newest versions to the locks of a driver, if they can be installed. Returns a sentence
 * about the result.
 */
export async function updateSystem(system: System): Promise<string> {
  const { name, language } = system;
  const toolchain = toolchains[language];
  const driver = driverOf(system);
  if (!toolchain.needsPackages(driver)) return `${name} has no packages of its own`;
  const { program } = await findToolchain(toolchain);
  const place = placeOf(system, driver, program);
  const files = toolchain.locks.map((lock) => join(driver, lock)).filter(existsSync);
  const before = files.map((file) => [file, readFileSync(file, "utf8")] as const);
  const restore = (): void => {
    for (const [file, text] of before) writeFileSync(file, text);
  };
  try {
    await toolchain.update(place);
    if (before.every(([file, text]) => readFileSync(file, "utf8") === text))
      return `${name} is up to date`;
    const { versions } = await prepareSystem(system);
    const all = Object.entries(versions).map((pair) => pair.join(" "));
    return `${name} now has ${all.join(", ")}`;
  } catch (thrown) {
    restore();
    return `${name} was not changed: ${problemOf(thrown)}`;
  }
}

/**
 * Installs and builds drivers, and prints what cannot be. Returns whether each could be installed;
 * one whose toolchain is missing is skipped.
 */
export async function installSystems(asked: readonly System[], drivers?: string): Promise<boolean> {
  let isComplete = true;
  for (const system of asked)
    try {
      await prepareSystem(system, drivers);
    } catch (thrown) {
      isComplete &&= thrown instanceof MissingToolchain;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      process.stderr.write(`${system.name}: not installed: ${reason}\n`);
    }
  return isComplete;
}
