import type { Preview } from "./event.ts";
import type { Turn } from "./turn.ts";

export interface GateOptions {
  readonly signal?: AbortSignal | undefined;
  /** Watches the reply while it arrives, in step with it. */
  readonly onPreview?: ((preview: Preview) => void) | undefined;
}
/** Turns the native events of one reply into a `Turn`. */
export interface Gate {
  push(native: unknown): void;
  /** The transport threw. */
  fail(thrown: unknown): void;
  end(): Turn;
}
