import type { ProviderError, ToolCall, Turn } from "@fullstop/core";
import type { RunEvent } from "@fullstop/loop";

/**
 * A recording is a file of JSON Lines. The first line is the head, and each other line is one event
 * of a run, or a piece of a reply (`chunk`) with the previews that came from it. Several runs may
 * follow each other, or arrive side by side; `runId` and `path` tell them apart. A recorder that
 * goes on with a file writes another head.
 *
 * Nothing is written twice:
 *
 * - a line without `runId`, `path` or `turnNumber` has that of the line before;
 * - what several events share (`eventParts`) is `[number, value]` where it comes first, and its
 *   number in all other places;
 * - a list of messages is `{ after, more }`: the first `after` messages of the list before it (of
 *   the same run and path), and then `more`.
 */
export interface RecordingHead {
  readonly recording: "fullstop";
  readonly version: 1;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * A call as plain data. It is not a `ToolCall`: only the gate issues calls that may run.
 */
export interface RecordedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly by?: "loop";
}

/**
 * A value after it was written as JSON and read again: calls and errors are plain data. What JSON
 * cannot hold, such as a function, is missing or replaced by a text.
 */
export type Recorded<Value> = Value extends ToolCall
  ? RecordedCall
  : Value extends ProviderError
    ? Pick<
        ProviderError,
        "name" | "message" | "kind" | "status" | "code" | "requestId" | "retryAfterMs"
      >
    : Value extends object
      ? { readonly [Key in keyof Value]: Recorded<Value[Key]> }
      : Value;

/** The verdict on a reply, as plain data. */
export type RecordedTurn = Recorded<Turn>;
/** An event of a run as plain data. Each `RunEvent` is one too. */
export type RecordedEvent = Recorded<RunEvent>;
