import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that run longest. They start first, so that at the end no worker waits for another. */
const slowFiles = [
  /openai-compatible.*conformance\.test/,
  /conformance\.test/,
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

process.env["FULLSTOP_ENGINES"] = "0"; // read by `package.vitest.ts` of each project

/** All tests that need nothing but Node. `engines.vitest.config.ts` has the others. */
export default defineConfig({
  test: {
    maxWorkers: "100%",
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
