import { describeBytes } from "./bytes.ts";

/** One thing that was tried. It passes if `actual` equals `expected`. */
export interface Check {
  /** What was tried, so that a reader can find it again. */
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
  /** The bytes that were sent, shortened. Only on a failed check. */
  readonly bytes?: string;
  /** The end of what the subject printed, or what it threw. Only on a failed check. */
  readonly output?: string;
}

/** How many failed checks of a clause are kept by default. */
export const maxKeptChecks = 20;

/** Adds the bytes that were sent if the check failed. */
export const withBytes = (check: Check, bytes?: Uint8Array<ArrayBuffer>): Check =>
  check.expected === check.actual || bytes === undefined
    ? check
    : { ...check, bytes: describeBytes(bytes) };
