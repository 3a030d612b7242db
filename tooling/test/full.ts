/**
 * Whether the tests try everything: every place of every reply, every fixture and every dialect, in
 * files that share no modules. `pnpm test:all` sets the variable; without
 * it the tests try a sample, also in runtimes that have no `process`.
 */
export const isFull: boolean = globalThis.process?.env["FULLSTOP_FULL"] === "1";
