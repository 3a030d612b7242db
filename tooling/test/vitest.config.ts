import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    maxWorkers: "100%",
    projects: [
      "packages/*",
      "packages/conformance/examples/fullstop",
      "apps/*",
      "tooling/{shape,docs,handoff,secrets,new-provider,pack,install,field,fuzz}",
    ],
    reporters: ["default", "./tooling/test/reporter.ts"],
    coverage: { provider: "v8", include: ["packages/*/src/**"], reporter: ["text-summary", "json-summary"] },
  },
});
