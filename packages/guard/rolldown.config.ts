import { defineConfig } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/**
 * The readers of replies are bundled, because the packages of the providers bring the vendors' SDKs
 * along. Core stays a dependency: its types are a part of the API, and an app may use it too.
 */
export default defineConfig({
  input: { index: "src/index.ts", register: "src/register.ts" },
  external: /^@fullstop\/core(?:\/|$)/,
  plugins: [dts({ tsconfig: "tsconfig.build.json", sourcemap: false })],
  output: { dir: "dist", cleanDir: true, chunkFileNames: "[name].js" },
});
