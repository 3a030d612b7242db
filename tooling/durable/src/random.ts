import { createHash } from "node:crypto";

/** Random numbers that depend on a seed only. */
export interface Random {
  /** An integer from 0 to `below - 1`. */
  integer(below: number): number;
  isLess(chance: number): boolean;
}

/** The same `seed` and `name` give the same numbers, so that one run can be repeated alone. */
export function createRandom(seed: number, name: string): Random {
  let state = createHash("sha256").update(`${seed}/${name}`).digest().readUInt32LE(0);
  /** Mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    integer: (below) => Math.floor(next() * below),
    isLess: (chance) => next() < chance,
  };
}
