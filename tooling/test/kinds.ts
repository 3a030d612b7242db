/** Tests that start programs. `pnpm test:all` runs them, with everything else. */
export const programFiles: readonly string[] = ["**/*.program.test.ts"];

/** They start databases and engines: `pnpm test:engines`. */
export const engineFiles: readonly string[] = ["**/*.engine.test.ts"];

/** They start a browser: `pnpm test:browser`. */
export const browserFiles: readonly string[] = ["**/*.browser.test.ts"];
