import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "@tooling/install/process";
import { rolldown } from "rolldown";

/** How a bundle gives its result: printed as a line, or in answer to a request. */
export const endings = {
  printed: "console.log(JSON.stringify(await judged(subjects)));",
  answered: "export default { fetch: async () => Response.json(await judged(subjects)) };",
} as const;

export interface Bundled {
  readonly tests: readonly string[];
  /** The export condition by which vendors tell their build for this runtime. */
  readonly condition: string;
  readonly ending: keyof typeof endings;
  readonly file: string;
}

const entry = join(root, "tooling/runtimes/src/entry.ts");
const collect = fileURLToPath(import.meta.resolve("@tooling/install/collect"));
const module = (path: string): string => JSON.stringify(path.replaceAll("\\", "/"));

/** The conformance tests of a package, its sources and its SDK in one file; what they would ask of vitest is asked of the suite itself. */
export async function bundle({ tests, condition, ending, file }: Bundled): Promise<void> {
  const paths = tests.map((path) => join(root, path));
  const code = [
    ...paths.map((path) => `import ${module(path)};`),
    `import { subjects } from ${module(collect)};`,
    `import { judged } from ${module(join(root, "tooling/runtimes/src/judged.ts"))};`,
    endings[ending],
  ].join("\n");
  const bundled = await rolldown({
    input: entry,
    plugins: [
      {
        name: "entry",
        resolveId: (id) =>
          id === entry ? entry : id === "@fullstop/conformance/vitest" ? collect : undefined,
        load: (id) => (id === entry ? code : undefined),
      },
    ],
    resolve: {
      conditionNames: ["@fullstop/source", condition, "import", "default"],
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
