import type { Adapter } from "@fullstop/core";
import type fc from "fast-check";
import type { Dialect } from "./apply-damage.ts";
import type { Frame } from "./bytes.ts";
import type { Framing } from "./framings/framing.ts";
import type { Reading } from "./reading.ts";
import type { Received } from "./received.ts";

/** A generated reply and its meaning. */
export interface GeneratedReply {
  readonly frames: readonly Frame[];
  /** One JSON body instead of a stream. */
  readonly whole: boolean;
  /** The host of the protocol that sends it. */
  readonly host: string;
  /** The meaning that the server intends. */
  readonly truth: Reading;
  /** The generated values, for reports. */
  readonly source: unknown;
}

/** The generator of a protocol, and a reference reader that follows only its rules. */
export interface Protocol {
  readonly replies: fc.Arbitrary<GeneratedReply>;
  readonly framing: Framing;
  readonly dialect: Dialect;
  /** The tested adapters, by the name of their host. */
  adapters(fetch: typeof globalThis.fetch): Readonly<Record<string, Adapter>>;
  read(received: Received, host: string): Reading;
  /** How `guard()` is tested. Absent if it cannot read the protocol. */
  readonly guarded?: {
    /** Whose replies it reads without options. */
    readonly hosts: readonly string[];
    /** The protocol's own end, at which the guard lets the calls go. Absent if there is none. */
    readonly isEnd?: (event: unknown) => boolean;
  };
}
