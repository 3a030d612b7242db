import config from "./vitest.config.ts";

process.env["FULLSTOP_FULL"] = "1"; // read by `full.ts` in each project and each worker

/** Everything that the repository proves with nothing but Node. */
export default config;
