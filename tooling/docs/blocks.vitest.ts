import base from "@tooling/test/package";
import { mergeConfig } from "vitest/config";

/** The blocks that are tests themselves. */
export default mergeConfig(base, { test: { include: [".blocks/**/*.test.ts"] } });
