import { randomInt } from "node:crypto";
import { isFull } from "./full.ts";

const variable = "FULLSTOP_SEED";

/**
 * The seed of every property. It is the same in every run, so that a change fails only for its
 * own mistakes, but `pnpm test:all` draws a new one. `FULLSTOP_SEED` repeats a run.
 */
export const seed: number = Number(process.env[variable] ?? (isFull ? randomInt(2 ** 31) : 1));
process.env[variable] = String(seed); // for the workers

/** How many inputs a property tries: a quarter of those that it tries in `pnpm test:all`. */
export const runs = (whenFull: number): number => (isFull ? whenFull : Math.ceil(whenFull / 4));
