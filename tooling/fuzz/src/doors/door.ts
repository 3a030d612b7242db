import type { Protocol } from "../protocol.ts";
import type { ProtocolName } from "../protocols.ts";
import type { Reading } from "../reading.ts";
import type { Received } from "../received.ts";
import type { Sent } from "../subject.ts";

/** A call as a program gets it. `free`: its input is text. */
export interface GivenCall {
  readonly name: string;
  readonly input: unknown;
}

/** A model of the vendor's library. */
export interface Model {
  /** The calls of the reply: behind the middleware, or as the library reads it alone. */
  ask(way: { readonly whole: boolean; readonly isGuarded: boolean }): Promise<readonly GivenCall[]>;
}

type Fetch = typeof globalThis.fetch;

/** A library whose loop a middleware guards. */
export interface Door {
  /** Its models, by protocol and by the host that they talk to. */
  readonly models: Readonly<
    Partial<Record<ProtocolName, Readonly<Record<string, (fetch: Fetch) => Model>>>>
  >;
  /** Replies that the library itself can take apart. */
  readonly takes: (sent: Sent) => boolean;
  /** The meaning of what arrived, as far as the middleware can see it. */
  readonly read: (protocol: Protocol, received: Received, host: string) => Reading;
}
