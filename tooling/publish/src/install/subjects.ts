import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { root } from "./process.ts";

/** The conformance tests of all adapters. */
export const conformanceTests = (): readonly string[] =>
  globSync("packages/provider-*/test/*conformance.test.ts", { cwd: root }).sort();

/**
 * These tests and the test files that they import, as files of an app that has the packages from
 * npm: path to text.
 */
export function subjectFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const add = (path: string): void => {
    if (files.has(path)) return;
    const text = readFileSync(join(root, path), "utf8");
    files.set(path, forConsumer(path, text));
    for (const [, specifier = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
      const next = join(dirname(path), specifier);
      if (next.includes("/test/")) add(next);
    }
    for (const [, name = ""] of text.matchAll(toolModule)) add(`tooling/test/${name}.ts`);
  };
  for (const path of conformanceTests()) add(path);
  return files;
}

/**
 * Replaces imports: `conform` collects the subjects, and the packages are imported by their names.
 */
function forConsumer(path: string, text: string): string {
  const depth = path.split("/").length - 1;
  return text
    .replaceAll(conformModule, JSON.stringify(`${"../".repeat(depth)}collect.ts`))
    .replaceAll(suiteModule, '"@fullstop/conformance"')
    .replaceAll(toolModule, `"${"../".repeat(depth)}tooling/test/$1.ts"`)
    .replaceAll(/"(?:\.\.\/)+src\/index\.ts"/g, JSON.stringify(`@fullstop/${path.split("/")[1]}`));
}

/** A package that the suite stands on imports the sources of the suite by their paths. */
const conformModule =
  /"(?:@fullstop\/conformance\/vitest|(?:\.\.\/)+conformance\/src\/vitest\.ts)"/g;
const suiteModule = /"(?:\.\.\/)+conformance\/src\/index\.ts"/g;
/** What decides how much the tests try. */
const toolModule = /"@tooling\/test\/(sample|full|cover)"/g;
