import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cache, runProgram } from "@tooling/publish/process";
import { findVersion } from "./find-version.ts";
import type { Place, Toolchain } from "./toolchain.ts";

const cargoFile = "Cargo.toml";
const targetIn = (folder: string): string => join(folder, "target");
/** `rig = "=0.44.0"`, or the same in a table. */
const cargoDependency = /^([\w-]+) = (?:\{ version = )?"=([^"]+)"/gm;

const buildRust = ({ driver, folder, program }: Place): Promise<string> =>
  runProgram([program, "build", "--locked", "--quiet", "--target-dir", targetIn(folder)], {
    cwd: driver,
  });

/** Rust and Cargo. A driver is compiled into the cache, without optimizations. */
export const rustToolchain: Toolchain = {
  locks: [cargoFile, "Cargo.lock"],
  find: () => findVersion({ title: "Cargo", command: ["cargo", "--version"], oldest: "1.97.1" }),
  needsPackages: () => true,
  install: buildRust,
  build: buildRust,
  start: ({ folder }) => [join(targetIn(folder), "debug/driver")],
  versions: ({ driver }) =>
    Object.fromEntries(
      [...readFileSync(join(driver, cargoFile), "utf8").matchAll(cargoDependency)].map(
        ([, name, version]) => [name, version],
      ),
    ),
  // Cargo names first the release that this compiler can build.
  newest: async (name, { program }) => {
    const words = [program, "info", "--registry", "crates-io", name] as const;
    const printed = await runProgram(words, { cwd: cache });
    const [, version, latest = version] =
      /^version: (\S+)(?: \(latest (\S+)\))?/m.exec(printed) ?? [];
    return latest;
  },
  update: ({ driver }) => {
    throw new Error(
      `Cargo does not change exact versions: change ${cargoFile} in ${driver}, and run \`cargo update\`.`,
    );
  },
};
