import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache, runProgram, step } from "./process.ts";

export interface Tool {
  /** The name on npm. */
  readonly name: string;
  readonly version: string;
  readonly overrides?: Readonly<Record<string, string>> | undefined;
}

/**
 * The folder with a tool in its `node_modules`. npm installs it on first use, because only few
 * commands need it.
 */
export async function installTool({ name, version, overrides }: Tool): Promise<string> {
  const folder = join(cache, "tools", `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  await step(`fetching ${name} ${version}`, async () => {
    mkdirSync(partial, { recursive: true });
    writeFileSync(
      join(partial, "package.json"),
      JSON.stringify({ private: true, dependencies: { [name]: version }, overrides }),
    );
    await runProgram(["npm", "install", ...npmOptions], { cwd: partial }).catch(
      (thrown: unknown) => {
        rmSync(partial, { recursive: true });
        throw thrown;
      },
    );
    renameSync(partial, folder);
  });
  return folder;
}

/** Options that keep npm's cache beside the other caches. */
export const npmOptions: readonly string[] = [
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
  "--prefer-offline",
  "--cache",
  join(cache, "npm"),
];
