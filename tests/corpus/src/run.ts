import { globSync } from "node:fs";
import { join } from "node:path";
import { root, runProgram } from "@tooling/publish/process";
import type { ClientResult } from "./results.ts";

const folder: string = join(root, "tests/corpus");

/** The readers of real clients. */
export const readers: readonly string[] = globSync("*_*.py", { cwd: join(folder, "readers") })
  .sort()
  .map((file) => join(folder, "readers", file));

/** Feeds all replies of the fixtures to readers, which are Python files. */
export async function feed(
  python: string,
  files: readonly string[],
): Promise<readonly ClientResult[]> {
  const program = join(folder, "corpus.py");
  const fixtures = join(root, "packages/conformance/fixtures");
  const printed = await runProgram([python, "-W", "ignore", program, fixtures, ...files], {
    cwd: folder,
    // The loopback needs no proxy.
    env: { PYTHONDONTWRITEBYTECODE: "1", NO_PROXY: "*", no_proxy: "*" },
  });
  return JSON.parse(printed) as readonly ClientResult[];
}
