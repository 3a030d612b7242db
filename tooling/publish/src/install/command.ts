import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestOf } from "./manifest.ts";
import { oldestNode } from "./oldest.ts";
import { root, runProgram, scratch } from "./process.ts";
import type { Source } from "./source.ts";
import { npmOptions } from "./tool.ts";

const command = "fullstop";
/** The programs that `fullstop init` writes, and a part of what each prints. */
const writtenPrograms: Readonly<Record<string, string>> = {
  agent: "4 °C in Oslo",
  guard: "The guard held back delete_files",
  judge: "6 of 6 must",
};
const isOurs = (name: string): boolean => name === command || name.startsWith("@fullstop/");

type Run = (args: readonly string[], cwd: string) => Promise<string>;

/**
 * With a registry the command is started as a stranger does it, in an empty folder. It runs on the
 * oldest Node, because all other tests of it run on the newest.
 */
async function prepare(source: Source, folder: string): Promise<Run> {
  const env = await oldestNode();
  if (source.complete) {
    const npx = ["npx", "--yes", ...npmOptions, ...source.args, source.spec(command)] as const;
    return (args, cwd) => runProgram([...npx, ...args], { cwd, env });
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await installOurs(source, folder, [command]);
  const program = join(folder, "node_modules/.bin", command);
  return (args, cwd) => runProgram([program, ...args], { cwd, env });
}

/** Installs our packages, and those that the command needs if npm cannot find them. */
async function installOurs(source: Source, cwd: string, names: readonly string[]): Promise<void> {
  const needed = Object.keys(manifestOf(join(root, "apps/cli")).dependencies ?? {}).filter(isOurs);
  const all = source.complete ? [] : [...new Set([...names, ...needed])];
  const specs = all.map((name) => source.spec(name));
  await runProgram(["npm", "install", ...npmOptions, ...source.args, ...specs], { cwd });
}

/**
 * Runs the command, and each program that it writes: compiled and started. Resolves with the last
 * line of the demo.
 */
export async function tryCommand(source: Source): Promise<string> {
  const folder = scratch("command");
  const run = await prepare(source, folder);
  const shown = (await run(["demo"], folder)).trim().split("\n");
  await run(["gateway", "--self-test", "--to", "openai"], folder);
  for (const [kind, words] of Object.entries(writtenPrograms)) {
    await run(["init", kind], folder);
    const cwd = join(folder, `fullstop-${kind}`);
    const { dependencies, devDependencies } = manifestOf(cwd);
    await installOurs(
      source,
      cwd,
      Object.keys({ ...dependencies, ...devDependencies }).filter(isOurs),
    );
    await runProgram(["npm", "run", "check"], { cwd });
    const printed = await runProgram(["npm", "start"], { cwd });
    if (!printed.includes(words))
      throw new Error(`The program of \`fullstop init ${kind}\` printed:\n${printed}`);
  }
  rmSync(folder, { recursive: true });
  return shown.at(-1) ?? "";
}
