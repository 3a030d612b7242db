import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { isFull } from "./full.ts";
import { browserFiles, engineFiles, programFiles } from "./kinds.ts";
import "./property.ts";
import { maxWorkers } from "./workers.ts";

const hangsAfterMs = 300_000;
const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The tests of each package use the sources of the other packages. They need no build. */
export default defineConfig({
  test: {
    // Node reads the sources itself: nothing is transformed, and what runs is what users run.
    execArgv: ["--conditions=@fullstop/source"],
    experimental: { viteModuleRunner: false },
    maxWorkers,
    // Of concurrent tests, which mostly wait: all journals of a file, for example.
    maxConcurrency: 20,
    include: ["test/**/*.test.ts"],
    exclude: [
      ...configDefaults.exclude,
      ...browserFiles,
      ...engineFiles,
      ...(isFull ? [] : programFiles),
    ],
    // Most files need more time for their modules than for their tests.
    isolate: isFull,
    setupFiles: [fileOf("./use-seed.ts")],
    reporters: ["default", fileOf("./reporter.ts")],
    typecheck: { enabled: false },
    // These limits only end what hangs, so they are long enough for a busy machine.
    expect: { poll: { timeout: hangsAfterMs } },
    testTimeout: hangsAfterMs,
    hookTimeout: hangsAfterMs,
    passWithNoTests: true,
  },
});
