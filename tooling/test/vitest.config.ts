import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isFull } from "./full.ts";
import packageConfig from "./package.vitest.ts";
import { slowFiles } from "./slow.ts";
import { maxWorkers, sampleWorkers } from "./workers.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const first = Object.keys(slowFiles).map((file) => join(root, file));
const missing = first.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`slow.ts names files that do not exist: ${missing}`);

/** Slow files, then programs: at the end no worker waits for another. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      if (first.includes(moduleId)) return 0;
      return moduleId.endsWith(".program.test.ts") ? 1 : 2;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** Tests start hundreds of programs. Each module of them is compiled once in a run. */
if (isFull && process.env["NODE_COMPILE_CACHE"] === undefined) {
  const cache = mkdtempSync(join(tmpdir(), "fullstop-tests-"));
  process.env["NODE_COMPILE_CACHE"] = cache;
  process.on("exit", () => rmSync(cache, { recursive: true, force: true }));
}

/** The tests of all packages as one project, so that a worker that has loaded a module keeps it. */
export default defineConfig({
  ...packageConfig,
  test: {
    ...packageConfig.test,
    include: [
      "{packages,apps,tests,tooling}/*/test/**/*.test.ts",
      "packages/conformance-cli/examples/fullstop/test/**/*.test.ts",
      "docs/recipes/test/**/*.test.ts",
      // The mutants of the suite begin as the template, so the sample asks it there.
      ...(isFull ? ["tooling/new-provider/template/test/**/*.test.ts"] : []),
    ],
    exclude: [...(packageConfig.test?.exclude ?? []), "tooling/local"],
    maxWorkers: isFull ? maxWorkers : sampleWorkers,
    passWithNoTests: false,
    sequence: { sequencer: LongestFirst },
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
