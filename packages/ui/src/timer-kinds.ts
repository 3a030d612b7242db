import type { OptionKind } from "@fullstop/core/adapter";

/** The longest delay of a timer: a longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1;

const isDelay = (value: unknown): boolean =>
  typeof value === "number" && value >= 0 && value <= longestTimerMs;
/** Milliseconds, also 0. */
export const delay: OptionKind = {
  isValid: isDelay,
  expected: `milliseconds, from 0 to ${longestTimerMs}`,
};
/** Milliseconds, or `Infinity`. */
export const graceTime: OptionKind = {
  isValid: (value) => isDelay(value) || value === Number.POSITIVE_INFINITY,
  expected: `${delay.expected}, or Infinity`,
};
/** Milliseconds, and not 0. */
export const interval: OptionKind = {
  isValid: (value) => isDelay(value) && value !== 0,
  expected: `milliseconds, more than 0 and at most ${longestTimerMs}`,
};
