import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

/** What is done with a block of code besides type-checking it: run it as a program, or as a test. */
export type Use = "run" | "test" | "";
export interface Block {
  /** `README.md:12`: the file and the line of the fence. */
  readonly at: string;
  readonly use: Use;
  readonly code: string;
}

/** The blocks fenced as `ts`, `ts run` or `ts test`. */
export function blocksOf(file: string, text: string): readonly Block[] {
  return [...text.matchAll(/^```ts(?: (run|test))?\n([\s\S]*?)^```/gm)].map(({ 1: use, 2: code = "", index }) => ({
    at: `${file}:${text.slice(0, index).split("\n").length}`,
    use: use === "run" || use === "test" ? use : "",
    code,
  }));
}

/** All blocks of the documents that users read. */
export const documented: readonly Block[] = globSync(["*.md", "packages/*/README.md"], { cwd: root })
  .sort()
  .flatMap((file) => blocksOf(file, readFileSync(join(root, file), "utf8")));
