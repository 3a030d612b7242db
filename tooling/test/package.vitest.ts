import { configDefaults, defineConfig } from "vitest/config";
import { quick, slowFiles } from "./quick.ts";
import { maxWorkers } from "./workers.ts";

const source = "@fullstop/source";
const isQuick = process.env["FULLSTOP_QUICK"] === "1";
const hasEngines = process.env["FULLSTOP_ENGINES"] !== "0";

/** They start databases and engines: `pnpm test:engines`. */
const engineFiles: readonly string[] = ["**/{dbos,restate}.test.ts"];

/** They start a browser: `pnpm test:browser`. */
const browserFiles: readonly string[] = ["test/**/*.browser.test.ts"];
const browserOnly = process.env["FULLSTOP_BROWSER"] === "1";
const hasBrowser = process.env["FULLSTOP_BROWSER"] !== "0";

/** The tests of each package use the sources of the other packages. They need no build. */
export default defineConfig({
  plugins: isQuick ? [quick] : [],
  resolve: { conditions: [source] },
  ssr: { resolve: { conditions: [source] } },
  test: {
    maxWorkers,
    include: browserOnly ? [...browserFiles] : ["test/**/*.test.ts"],
    exclude: [
      ...configDefaults.exclude,
      ...(isQuick ? slowFiles : []),
      ...(hasEngines ? [] : engineFiles),
      ...(hasBrowser ? [] : browserFiles),
    ],
    typecheck: { enabled: false },
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
