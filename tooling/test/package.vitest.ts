import { defineConfig } from "vitest/config";

const source = "@fullstop/source";

/** What each package's tests run under: the sources of the other packages, so that no build is needed. */
export default defineConfig({
  resolve: { conditions: [source] },
  ssr: { resolve: { conditions: [source] } },
  test: {
    maxWorkers: "100%",
    include: ["test/**/*.test.ts"],
    typecheck: { enabled: false },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
