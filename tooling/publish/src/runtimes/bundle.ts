import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { root } from "../install/process.ts";
import { judgeAll } from "./judged.ts";

/** How a bundle returns its result: as a printed line, or as the answer to a request. */
export const outputs = {
  printed: `console.log(JSON.stringify(await ${judgeAll.name}(collected)));`,
  answered: `export default { fetch: async () => Response.json(await ${judgeAll.name}(collected)) };`,
} as const;

export interface BundleOptions {
  readonly tests: readonly string[];
  /** The export condition with which vendors mark their build for this runtime. */
  readonly condition: string;
  readonly output: keyof typeof outputs;
  readonly file: string;
}

const subjectsEntry = join(root, "tooling/publish/src/runtimes/entry.ts");
const collect = fileURLToPath(import.meta.resolve("@tooling/publish/collect"));
const importPath = (path: string): string => JSON.stringify(path.replaceAll("\\", "/"));

/** What users get of the sources that a test imports. */
const builtOf = (file: string): string =>
  file.replace(/([\\/])src([\\/]index)\.ts$/, "$1dist$2.js");

/**
 * Bundles the conformance tests of a package, its built files and its SDK into one file that runs
 * without vitest.
 */
export async function bundleSubjects({
  tests,
  condition,
  output,
  file,
}: BundleOptions): Promise<void> {
  const paths = tests.map((path) => join(root, path));
  const code = [
    ...paths.map((path) => `import ${importPath(path)};`),
    `import { collected } from ${importPath(collect)};`,
    `import { ${judgeAll.name} } from ${importPath(join(root, "tooling/publish/src/runtimes/judged.ts"))};`,
    outputs[output],
  ].join("\n");
  const replaced = new Map([
    [subjectsEntry, subjectsEntry],
    ["@fullstop/conformance/vitest", collect],
    // The tests of a package that the suite stands on import the suite by its path.
    ["../../conformance/src/vitest.ts", collect],
  ]);
  const resolveId = (id: string, importer = ""): string | undefined =>
    replaced.get(id) ??
    (id.endsWith("/src/index.ts") ? builtOf(join(importer, "..", id)) : undefined);
  const bundled = await rolldown({
    input: subjectsEntry,
    plugins: [
      {
        name: "entry",
        resolveId,
        load: (id) => (id === subjectsEntry ? code : undefined),
      },
    ],
    resolve: {
      conditionNames: [condition, "import", "default"],
      mainFields: ["module", "main"],
    },
    treeshake: { moduleSideEffects: (id) => paths.includes(id) || undefined },
    external: /^node:/,
    platform: condition === "node" ? "node" : "neutral",
    logLevel: "silent",
  });
  await bundled.write({ file, codeSplitting: false });
  await bundled.close();
}
