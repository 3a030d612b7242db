import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The folder that holds all of these programs: the first of PATH, or the last that the patterns
 * name, which has the highest version. Undefined if there is none.
 */
export function findPrograms(
  names: readonly string[],
  patterns: readonly string[] = [],
): string | undefined {
  const onPath = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const named = globSync(patterns).toSorted((one, other) =>
    other.localeCompare(one, "en", { numeric: true }),
  );
  return [...onPath, ...named].find((folder) =>
    names.every((name) => existsSync(join(folder, name))),
  );
}
