import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isFull } from "./full.ts";
import packageConfig from "./package.vitest.ts";

/** The files that run longest. They start first, so that at the end no worker waits for another. */
const slowFiles = [
  /responses-conformance\.test/,
  /guard\/test\/clauses\/(?:dialects|responses)/,
  /conformance\.test/,
  /guard\/test\/clauses/,
  /apps\/cli/,
  /examples/,
  /packages\/conformance/,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const position = slowFiles.findIndex((pattern) => pattern.test(moduleId));
      return position < 0 ? slowFiles.length : position;
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

/**
 * The tests of all packages as one project, so that a module is transformed once for all of them,
 * and a worker that has loaded it keeps it.
 */
export default defineConfig({
  ...packageConfig,
  test: {
    ...packageConfig.test,
    include: [
      "{packages,apps,tests,tooling}/*/test/**/*.test.ts",
      "packages/conformance-cli/examples/fullstop/test/**/*.test.ts",
      "docs/recipes/test/**/*.test.ts",
      "tooling/new-provider/template/test/**/*.test.ts",
    ],
    exclude: [...(packageConfig.test?.exclude ?? []), "tooling/local"],
    passWithNoTests: false,
    sequence: { sequencer: LongestFirst },
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
