import config from "./vitest.config.ts";

process.env["FULLSTOP_BROWSER"] = "1"; // read by `package.vitest.ts` of each project

/** The tests in a real Chromium. Without one each of them is skipped with a sentence. */
export default {
  ...config,
  test: { ...config.test, projects: ["packages/{inspect,ui}"] },
};
