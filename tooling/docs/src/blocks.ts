import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

export interface Block {
  /** `README.md:12`: the file, and the line of the fence. */
  readonly at: string;
  /** It is type-checked, and also run as a program. */
  readonly runs: boolean;
  readonly code: string;
}

/** The blocks fenced as `ts` or `ts run`. */
export function blocksOf(file: string, text: string): readonly Block[] {
  return [...text.matchAll(/^```ts( run)?\n([\s\S]*?)^```/gm)].map(
    ({ 1: run, 2: code = "", index }) => ({
      at: `${file}:${text.slice(0, index).split("\n").length}`,
      runs: run !== undefined,
      code,
    }),
  );
}

/** All blocks of the documents. */
export const documented: readonly Block[] = globSync(
  ["*.md", "docs/*.md", "packages/*/README.md", "apps/gateway/README.md"],
  {
    cwd: root,
  },
)
  .sort()
  .flatMap((file) => blocksOf(file, readFileSync(join(root, file), "utf8")));
