import base from "@tooling/test/package";
import { mergeConfig } from "vitest/config";

/** Runs the tests of the template too. */
export default mergeConfig(base, { test: { include: ["template/test/**/*.test.ts"] } });
