/** Why a stream cannot be given out. */
export type StreamErrorKind =
  /** No stream has this id, or it was forgotten. */
  | "unknown"
  /** The stream has dropped events that the client has not seen. */
  | "dropped"
  /** As many streams run as may run at once. */
  | "full";

/** A stream cannot be begun or read. The message is for the developer of the client. */
export class StreamError extends Error {
  override readonly name = "StreamError";
  /** Why. */
  readonly kind: StreamErrorKind;

  constructor(kind: StreamErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const droppedMessage =
  "Events that this client has not seen are no longer kept. Load the conversation again. The option `maxBytes` of `createRunStreams` keeps more.";
