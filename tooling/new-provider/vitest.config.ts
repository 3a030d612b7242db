import base from "@tooling/test/package";
import { mergeConfig } from "vitest/config";

/** The template is a provider like any other, and so its tests are run too. */
export default mergeConfig(base, { test: { include: ["template/test/**/*.test.ts"] } });
