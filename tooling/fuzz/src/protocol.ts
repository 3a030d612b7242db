import type { Adapter } from "@fullstop/core";
import type fc from "fast-check";
import type { Frame } from "./bytes.ts";
import type { Dialect } from "./damage.ts";
import type { Reading } from "./reading.ts";
import type { Received } from "./received.ts";

/** A reply as a server writes it, and what it means. */
export interface GeneratedReply {
  readonly frames: readonly Frame[];
  /** One JSON body instead of a stream. */
  readonly whole: boolean;
  /** Which of the protocol's hosts sends it. */
  readonly host: string;
  /** What the server means to say. */
  readonly truth: Reading;
  /** What it was made of, for people. */
  readonly source: unknown;
}

/** A protocol, seen by servers and by a reader that follows nothing but its rules. */
export interface Protocol {
  readonly replies: fc.Arbitrary<GeneratedReply>;
  readonly dialect: Dialect;
  /** The adapters to be tried, by the name of their host. */
  adapters(fetch: typeof globalThis.fetch): Readonly<Record<string, Adapter>>;
  read(received: Received, host: string): Reading;
}
