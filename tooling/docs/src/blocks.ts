import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

/** Results as data, if the file exists. The path begins at the root of the repository. */
export function readResults<Results>(file: string): Results | undefined {
  const path = join(root, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Results) : undefined;
}

export interface Block {
  /** `README.md:12`: the file, and the line of the fence. */
  readonly at: string;
  /** It is type-checked, and also run as a program. */
  readonly runs: boolean;
  readonly code: string;
}

/**
 * The blocks fenced as `ts` or `ts run`. With the name of another library: those fenced as
 * `ts <name>`, which need that library to compile.
 */
export function blocksOf(file: string, text: string, library?: string): readonly Block[] {
  return [...text.matchAll(/^```ts(?: (\S+))?\n([\s\S]*?)^```/gm)]
    .map(({ 1: word, 2: code = "", index }) => ({
      at: `${file}:${text.slice(0, index).split("\n").length}`,
      word,
      runs: word === "run",
      code,
    }))
    .filter(({ word, runs }) =>
      library === undefined ? word === undefined || runs : word === library,
    )
    .map(({ at, runs, code }) => ({ at, runs, code }));
}

/** All blocks of the documents. */
export const documented: readonly Block[] = globSync(
  [
    "*.md",
    "docs/*.md",
    "packages/*/{AGENTS,README}.md",
    "packages/*/guides/*.md",
    "apps/*/{AGENTS,README}.md",
  ],
  {
    cwd: root,
  },
)
  .sort()
  .flatMap((file) => blocksOf(file, readFileSync(join(root, file), "utf8")));
