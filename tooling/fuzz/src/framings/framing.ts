import type { Frame, Layout } from "../bytes.ts";
import type { Received } from "../received.ts";

/** How events become bytes, and how a reader that follows only the standard reads them. */
export interface Framing {
  /** The content type of a stream. */
  readonly type: string;
  /** A changed byte is detectable. */
  readonly hasChecksums: boolean;
  /** An event may be named `error`, with any data. */
  readonly namesErrors: boolean;
  encode(frames: readonly Frame[], layout: Layout): Uint8Array;
  /** Also reads a body that is one JSON text. */
  parse(bytes: Uint8Array, reset: boolean): Received;
}
