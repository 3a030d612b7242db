/** One event of a stream, as it is sent. */
export interface StreamFrame {
  /** Unique among all streams. A client sends it back as `Last-Event-ID`. */
  readonly id: string;
  /** The event in the format `text/event-stream`, in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a log can give to a client that has seen `after`. */
export type StreamPosition =
  /** There are events to send, or there will be. */
  | "available"
  /** The stream has ended, and the client has seen all of it. */
  | "complete"
  /** The log has dropped events that the client has not seen. */
  | "dropped"
  /** No stream has this id. */
  | "unknown";

/**
 * Where the events of running streams are kept, so that clients can come back. `memoryLog` is one
 * for a single process. Another one lets several processes give out the same streams: the process
 * that runs a stream calls `create`, `append` and `end`, and each process reads.
 */
export interface StreamLog {
  /**
   * Begins a stream. It replaces an older one with the same id, whose readers end.
   * @throws StreamError of the kind `full`.
   */
  create(streamId: string): void | Promise<void>;
  /** Adds events at the end. The calls for one stream do not overlap. */
  append(streamId: string, frames: readonly StreamFrame[]): void | Promise<void>;
  /** No more events come. The log forgets the stream after `keepMs` milliseconds. */
  end(streamId: string, keepMs: number): void | Promise<void>;
  /** Where a client is that has seen `after`. Undefined: it has seen nothing. */
  find(streamId: string, after: string | undefined): StreamPosition | Promise<StreamPosition>;
  /**
   * The events after `after`, then those that come, until the stream ends or `signal` aborts.
   * Nothing is kept for a slow reader: it throws a `StreamError` of the kind `dropped` if the log
   * has dropped the next event.
   */
  read(
    streamId: string,
    after: string | undefined,
    signal: AbortSignal,
  ): AsyncIterable<readonly StreamFrame[]>;
  /**
   * Whether a client of another process reads the stream. Asked at the end of `graceMs`, before the
   * run is aborted. Default: no.
   */
  isReadElsewhere?(streamId: string): boolean | Promise<boolean>;
}
