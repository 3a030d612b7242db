import { isFull } from "./full.ts";

/**
 * The seed of every property. It is the same in every run, so that a change fails only for its
 * own mistakes. `pnpm test:seeds` draws another one, and `FULLSTOP_SEED` repeats a run.
 */
export const seed: number = Number(process.env["FULLSTOP_SEED"] ?? 1);

/** How many inputs a property tries: a quarter of those that it tries in `pnpm test:all`. */
export const runs = (whenFull: number): number => (isFull ? whenFull : Math.ceil(whenFull / 4));
