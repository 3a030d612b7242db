import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "@tooling/publish/process";
import { findVersion } from "./find-version.ts";
import type { Place, Toolchain, Versions } from "./toolchain.ts";

const modFile = "go.mod";
const requirement = /^(?:require\s+|\t)(\S+\/\S+) (v\S+)$/;

/** The modules that the driver imports; the others have a comment behind the version. */
const importedModules = (driver: string): Versions =>
  Object.fromEntries(
    readFileSync(join(driver, modFile), "utf8")
      .split("\n")
      .flatMap((line) => {
        const [, name, version] = requirement.exec(line) ?? [];
        return name === undefined || version === undefined ? [] : [[name, version]];
      }),
  );

const binaryIn = (folder: string): string => join(folder, "driver");

/** The folder of a driver need not be a checkout. */
const buildGo = ({ driver, folder, program }: Place): Promise<string> =>
  runProgram([program, "build", "-buildvcs=false", "-o", binaryIn(folder), "."], { cwd: driver });

/** Go. A driver is compiled into the cache; Go's own cache makes the next build quick. */
export const goToolchain: Toolchain = {
  locks: [modFile, "go.sum"],
  find: () => findVersion({ title: "Go", command: ["go", "version"], oldest: "1.26" }),
  needsPackages: () => true,
  install: buildGo,
  build: buildGo,
  start: ({ folder }) => [binaryIn(folder)],
  versions: ({ driver }) => importedModules(driver),
  newest: async (name, { driver, program }) =>
    (
      await runProgram([program, "list", "-m", "-f", "{{.Version}}", `${name}@latest`], {
        cwd: driver,
      })
    ).trim(),
  update: async ({ driver, program }) => {
    const modules = Object.keys(importedModules(driver)).map((name) => `${name}@latest`);
    await runProgram([program, "get", ...modules], { cwd: driver });
    await runProgram([program, "mod", "tidy"], { cwd: driver });
  },
};
