import { defineConfig } from "vitest/config";
import { quick } from "./quick.ts";

const source = "@fullstop/source";

/** The tests of each package use the sources of the other packages. They need no build. */
export default defineConfig({
  plugins: process.env["FULLSTOP_QUICK"] === "1" ? [quick] : [],
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
