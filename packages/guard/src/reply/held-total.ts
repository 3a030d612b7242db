/** The bytes that guards hold together: bodies of requests, and the parts of replies that wait. */
export interface HeldTotal {
  readonly bytes: number;
  open(): HeldShare;
}

/** What one request and its reply hold. */
export interface HeldShare {
  readonly bytes: number;
  /** The limit was reached: a part of the reply was not taken. */
  readonly isRefused: boolean;
  /** Takes more bytes. Returns `false` if all requests together would then hold too much. */
  take(bytes: number): boolean;
  /** Gives back what is more than so many bytes. */
  keep(bytes: number): void;
}

/** Bounds what one or more guards hold together, in bytes. For their option `heldTotal`. */
export function createHeldTotal(maxBytes: number): HeldTotal {
  let total = 0;
  return {
    get bytes() {
      return total;
    },
    open() {
      let own = 0;
      let isRefused = false;
      return {
        get bytes() {
          return own;
        },
        get isRefused() {
          return isRefused;
        },
        take(bytes) {
          // A request that runs alone has its own limits.
          isRefused ||= total > own && total + bytes > maxBytes;
          if (isRefused) return false;
          total += bytes;
          own += bytes;
          return true;
        },
        keep(bytes) {
          const given = Math.max(0, own - bytes);
          own -= given;
          total -= given;
        },
      };
    },
  };
}

export const unlimited: HeldTotal = createHeldTotal(Number.POSITIVE_INFINITY);
