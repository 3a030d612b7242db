import "./set-full.ts";
import config from "./vitest.config.ts";

/** Everything that the repository proves with nothing but Node. */
export default config;
