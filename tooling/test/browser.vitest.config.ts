import { configDefaults } from "vitest/config";
import { browserFiles } from "./kinds.ts";
import config from "./vitest.config.ts";
import { maxWorkers } from "./workers.ts";

/** The tests in a real Chromium. Without one each of them is skipped with a sentence. */
export default {
  ...config,
  test: { ...config.test, maxWorkers, include: browserFiles, exclude: configDefaults.exclude },
};
