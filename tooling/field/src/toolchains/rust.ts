import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "@tooling/install/process";
import { findVersion } from "./find-version.ts";
import type { Place, Toolchain } from "./toolchain.ts";

const manifestFile = "Cargo.toml";
const targetIn = (folder: string): string => join(folder, "target");
/** `rig = "=0.44.0"`, or the same in a table. */
const dependency = /^([\w-]+) = (?:\{ version = )?"=([^"]+)"/gm;

const buildDriver = ({ driver, folder, program }: Place): Promise<string> =>
  runProgram([program, "build", "--locked", "--quiet", "--target-dir", targetIn(folder)], {
    cwd: driver,
  });

/** Rust and Cargo. A driver is compiled into the cache, without optimizations. */
export const rustToolchain: Toolchain = {
  locks: [manifestFile, "Cargo.lock"],
  find: () => findVersion({ title: "Cargo", command: ["cargo", "--version"], oldest: "1.95" }),
  needsPackages: () => true,
  install: buildDriver,
  build: buildDriver,
  start: ({ folder }) => [join(targetIn(folder), "debug/driver")],
  versions: ({ driver }) =>
    Object.fromEntries(
      [...readFileSync(join(driver, manifestFile), "utf8").matchAll(dependency)].map(
        ([, name, version]) => [name, version],
      ),
    ),
  update: ({ driver }) => {
    throw new Error(
      `Cargo does not change exact versions: change ${manifestFile} in ${driver}, and run \`cargo update\`.`,
    );
  },
};
