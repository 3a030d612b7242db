import { root, runProgram } from "./process.ts";

/** Builds each package: what is published, and what an import without our condition finds. */
export const buildAll = (): Promise<string> =>
  runProgram(["pnpm", "exec", "turbo", "run", "build", "--output-logs=errors-only"], {
    cwd: root,
    env: { TURBO_TELEMETRY_DISABLED: "1" },
  });
