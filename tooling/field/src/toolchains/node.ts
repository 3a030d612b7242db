import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "@tooling/publish/process";
import { npmOptions } from "@tooling/publish/tool";
import type { Toolchain, Versions } from "./toolchain.ts";

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Versions;
}

const manifestIn = (folder: string): string => join(folder, "package.json");
const readManifest = (file: string): Manifest =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Manifest) : {};
const dependenciesOf = (driver: string): Versions =>
  readManifest(manifestIn(driver)).dependencies ?? {};

export async function newestOnNpm(name: string, cwd: string): Promise<string> {
  const printed = await runProgram(["npm", "view", name, "version", "--loglevel=error"], {
    cwd,
  });
  return printed.trim();
}

async function newestVersions(driver: string): Promise<Versions> {
  const newest = await Promise.all(
    Object.keys(dependenciesOf(driver)).map(async (name) => [
      name,
      await newestOnNpm(name, driver),
    ]),
  );
  return Object.fromEntries(newest) as Versions;
}

/** Node and npm. A driver with packages of the workspace starts in its own folder. */
export const nodeToolchain: Toolchain = {
  locks: ["package.json"],
  find: async () => ({ program: "node", version: process.versions.node }),
  needsPackages: (driver) => {
    const versions = Object.values(dependenciesOf(driver));
    return versions.length > 0 && !versions.some((version) => version.startsWith("workspace:"));
  },
  install: async ({ driver, folder }) => {
    cpSync(manifestIn(driver), manifestIn(folder));
    await runProgram(["npm", "install", "--no-package-lock", "--ignore-scripts", ...npmOptions], {
      cwd: folder,
    });
  },
  build: async ({ driver, folder }) => {
    if (driver === folder) return;
    cpSync(driver, folder, {
      recursive: true,
      filter: (path) => !path.includes("node_modules", driver.length),
    });
  },
  start: ({ folder, program }) => [program, join(folder, "agent.mjs")],
  versions: ({ driver, folder }) =>
    Object.fromEntries(
      Object.keys(dependenciesOf(driver)).map((name) => [
        name,
        readManifest(manifestIn(join(folder, "node_modules", name))).version ?? "",
      ]),
    ),
  newest: async (name, { driver }) =>
    dependenciesOf(driver)[name]?.startsWith("workspace:") ? undefined : newestOnNpm(name, driver),
  update: async ({ driver }) => {
    const before = JSON.parse(readFileSync(manifestIn(driver), "utf8")) as object;
    const dependencies = await newestVersions(driver);
    writeFileSync(manifestIn(driver), `${JSON.stringify({ ...before, dependencies }, null, 2)}\n`);
  },
};
