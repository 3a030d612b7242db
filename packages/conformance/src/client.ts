/** A tool call as a client assembles it. */
export interface AssembledCall {
  readonly name: string;
  readonly input: string;
  /** The input is the text itself, not JSON. */
  readonly isText?: boolean | undefined;
}

/** What a client makes of a reply, or of a part of one. */
export interface ClientReading {
  /** The events that hold a part of a tool call, by their names. */
  readonly callParts: readonly string[];
  /** The calls that it would run, each as often as it would run it. */
  readonly calls: readonly AssembledCall[];
  /** The native stop reason, as the wire's `nativeStops` write it. */
  readonly stop?: string | undefined;
  /** The reply reports an error. */
  readonly failed: boolean;
  /** The reply has reached its end. */
  readonly ended: boolean;
  /** What the protocol does not allow, one sentence each. */
  readonly flaws: readonly string[];
  /** Inputs came in a form of which the client cannot assemble them. */
  readonly isPartial?: boolean | undefined;
}

/**
 * A client of the protocol that believes every event at once, as naive agents do. It finds out what
 * leaves a guard, so it shares no code with a decoder or a guard.
 */
export interface WireClient {
  /** The parsed data of the events. A text that is not JSON, such as `[DONE]`, stays a text. */
  readStream(events: readonly unknown[]): ClientReading;
  readBody(body: unknown): ClientReading;
}

export interface GrowingReading extends ClientReading {
  readonly callParts: string[];
  readonly calls: { name: string; input: string; isText?: boolean | undefined }[];
  stop?: string | undefined;
  failed: boolean;
  ended: boolean;
  readonly flaws: string[];
  isPartial?: boolean | undefined;
}

export const createReading = (): GrowingReading => ({
  callParts: [],
  calls: [],
  failed: false,
  ended: false,
  flaws: [],
});
