import { configDefaults, defineConfig } from "vitest/config";
import { quick, slowFiles } from "./quick.ts";

const source = "@fullstop/source";
const isQuick = process.env["FULLSTOP_QUICK"] === "1";
const hasEngines = process.env["FULLSTOP_ENGINES"] !== "0";

/** They start databases and engines: `pnpm test:engines`. */
const engineFiles: readonly string[] = ["**/{dbos,restate}.test.ts"];

/** The tests of each package use the sources of the other packages. They need no build. */
export default defineConfig({
  plugins: isQuick ? [quick] : [],
  resolve: { conditions: [source] },
  ssr: { resolve: { conditions: [source] } },
  test: {
    maxWorkers: "100%",
    include: ["test/**/*.test.ts"],
    exclude: [
      ...configDefaults.exclude,
      ...(isQuick ? slowFiles : []),
      ...(hasEngines ? [] : engineFiles),
    ],
    typecheck: { enabled: false },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
