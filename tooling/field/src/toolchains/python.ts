import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, scratch } from "@tooling/publish/process";
import { createEnvironment, findInterpreter, programIn, runUvPip } from "./environment.ts";
import { isAtLeast } from "./find-version.ts";
import type { Toolchain } from "./toolchain.ts";

/** The packages that the driver imports. */
const wantedFile = "requirements.in";
/** All packages with their versions, made from the other file. */
const lockFile = "requirements.txt";
/** Imports the packages of a driver once, because an import takes seconds and a run does not. */
const forkServer = join(root, "packages/conformance-cli/examples/python/fork_server.py");
const oldest = "3.11";
const interpreters = ["python3", "python3.11", "python3.12", "python3.13", "python"];

const linesOf = (file: string): readonly string[] =>
  readFileSync(file, "utf8").split("\n").filter(Boolean);
/** `Crew_AI[tools]==1.2.3 ; …` → `crew-ai`. */
const nameIn = (line: string): string =>
  (/^[\w.-]+/.exec(line)?.[0] ?? "").toLowerCase().replace(/[._]/g, "-");

/** Writes the lock of a folder. */
const compileLock = (
  interpreter: string,
  words: readonly string[],
  folder: string,
  python: string = oldest,
): Promise<string> =>
  runUvPip(
    interpreter,
    [
      "compile",
      ...words,
      "--no-annotate",
      "--no-header",
      "--python-version",
      python,
      wantedFile,
      "--output-file",
      lockFile,
    ],
    folder,
  );

/** The newest release that a version of Python can install. */
export async function newestOnPypi(
  name: string,
  interpreter: string,
  python: string,
): Promise<string | undefined> {
  const folder = scratch("newest");
  writeFileSync(join(folder, wantedFile), name);
  await compileLock(interpreter, ["--no-deps"], folder, python);
  return /==([^\s;]+)/.exec(readFileSync(join(folder, lockFile), "utf8"))?.[1];
}

/** Python, with a virtual environment for each driver. */
export const pythonToolchain: Toolchain = {
  locks: [lockFile],
  find: async () => {
    const found = await findInterpreter(interpreters, (version) => isAtLeast(version, oldest));
    if (found !== undefined) return found;
    throw new Error(
      `Python ${oldest} or newer was not found as ${interpreters.join(", ")}: install it, or put it on PATH.`,
    );
  },
  needsPackages: (driver) => existsSync(join(driver, lockFile)),
  install: ({ driver, folder, program }) =>
    createEnvironment(folder, program, ["-r", join(driver, lockFile)]),
  start: ({ driver, folder, program }) =>
    driver === folder
      ? [program, join(driver, "agent.py")]
      : [programIn(folder, "python"), forkServer, join(driver, "agent.py")],
  versions: ({ driver }) => {
    if (!existsSync(join(driver, lockFile))) return {};
    const wanted = new Set(linesOf(join(driver, wantedFile)).map(nameIn));
    const locked = linesOf(join(driver, lockFile)).filter((line) => wanted.has(nameIn(line)));
    return Object.fromEntries(
      locked.map((line) => [nameIn(line), /==([^\s;]+)/.exec(line)?.[1] ?? ""]),
    );
  },
  newest: (name, { program }) => newestOnPypi(name, program, oldest),
  update: ({ driver, program }) => compileLock(program, ["--upgrade", "--universal"], driver),
};
