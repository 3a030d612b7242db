import { configDefaults } from "vitest/config";
import { browserFiles } from "./kinds.ts";
import config from "./vitest.config.ts";

/** The tests in a real Chromium. Without one each of them is skipped with a sentence. */
export default {
  ...config,
  test: { ...config.test, include: browserFiles, exclude: configDefaults.exclude },
};
