import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { maxWorkers } from "./workers.ts";

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
if (process.env["NODE_COMPILE_CACHE"] === undefined) {
  const cache = mkdtempSync(join(tmpdir(), "fullstop-tests-"));
  process.env["NODE_COMPILE_CACHE"] = cache;
  process.on("exit", () => rmSync(cache, { recursive: true, force: true }));
}
// read by `package.vitest.ts` of each project
process.env["FULLSTOP_ENGINES"] = "0";
process.env["FULLSTOP_BROWSER"] = "0";

/**
 * All tests that need nothing but Node. `engines.vitest.config.ts` and `browser.vitest.config.ts`
 * have the others.
 */
export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    projects: [
      "packages/*",
      "!packages/{journal-postgres,restate}",
      "packages/conformance-cli/examples/fullstop",
      "docs/recipes",
      "apps/*",
      "tooling/{action,corpus,shape,docs,handoff,secrets,new-provider,pack,install,field,fuzz,durable}",
    ],
    reporters: ["default", "./tooling/test/reporter.ts"],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
