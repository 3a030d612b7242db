import config from "./vitest.config.ts";

process.env["FULLSTOP_QUICK"] = "1"; // read by `package.vitest.ts` of each project

/** The tests that find most mistakes in a few minutes, for local work. */
export default {
  ...config,
  test: {
    ...config.test,
    projects: ["packages/*", "!packages/conformance-cli", "tooling/{shape,handoff,secrets}"],
  },
};
