import config from "./vitest.config.ts";

process.env["FULLSTOP_QUICK"] = "1"; // read by `package.vitest.ts` of each project

/**
 * The tests that find most mistakes, for local work. The left out providers share their decoders
 * with others.
 */
export default {
  ...config,
  test: {
    ...config.test,
    projects: [
      "packages/*",
      "!packages/{conformance-cli,provider-copilot,provider-openai-compatible}",
      "!packages/{journal-postgres,restate}",
      "tooling/{shape,handoff,secrets}",
    ],
  },
};
