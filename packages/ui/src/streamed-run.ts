import type { Outcome, Run, RunEvent } from "@fullstop/loop";
import { createFramer } from "./frame.ts";
import { createLogWriter, type LogWriter } from "./log/log-writer.ts";
import type { StreamLog } from "./log/stream-log.ts";

/** What the events of a run become on the wire. Each text is one JSON document. */
export interface Encoder {
  /** Before the first event of the run. */
  begin(): readonly string[];
  event(event: RunEvent): readonly string[];
  /** Something threw, and the stream ends. `text` is what the client may read. */
  failure(text: string): readonly string[];
  /** After everything. */
  finish(): readonly string[];
}

/** What is called at the end of a run. */
export interface EndOptions {
  /**
   * Called with the outcome before the client learns that the run has ended, also if no client is
   * left. Store the conversation here: the next request of the client comes after it.
   */
  readonly onEnd?: ((outcome: Outcome) => void | Promise<void>) | undefined;
  /**
   * Called if the run rejects, `onEnd` or another function throws, or the log fails. Returns what
   * the client may read. Default: a sentence without details.
   */
  readonly onError?: ((thrown: unknown) => string | undefined) | undefined;
}

/** A run, and what is done with its events. */
export interface RunSource extends EndOptions {
  readonly run: Run;
  readonly encoder: Encoder;
}

/** Where a stream is kept, how much of it, and how long after its end. */
export interface StreamPlace {
  readonly log: StreamLog;
  readonly streamId: string;
  readonly maxBytes: number;
  readonly keepEndedMs: number;
}

/** A run whose events go to a log. */
export interface StreamedRun {
  /** The id of the last event that `begin` of the encoder gave. */
  readonly begunAt: string | undefined;
  abort(): void;
  /** Resolves after the last event is in the log. */
  readonly ended: Promise<void>;
}

const failureText = "The server failed, and the answer is not complete.";

export async function streamRun(source: RunSource, place: StreamPlace): Promise<StreamedRun> {
  const { encoder, onError } = source;
  const { log, streamId, maxBytes } = place;
  await log.create(streamId);
  const writer = createLogWriter(log, streamId, maxBytes);
  const frame = createFramer();
  const write = (texts: readonly string[]): string | undefined => {
    const frames = texts.map(frame);
    writer.write(frames);
    return frames.at(-1)?.id;
  };
  const begunAt = write(encoder.begin());
  const events = source.run[Symbol.asyncIterator]();
  // If the run rejects, `readEvents` gets the same error.
  const abort = (): void => void events.return?.().catch(() => {});
  const fail = (thrown: unknown): void => {
    abort();
    let text: string | undefined;
    try {
      text = onError?.(thrown);
    } finally {
      write(encoder.failure(text ?? failureText));
    }
  };
  const read = async (): Promise<void> => {
    try {
      await readEvents(source, events, (event) => write(encoder.event(event)));
    } catch (thrown) {
      fail(thrown);
    } finally {
      write(encoder.finish());
      await closeLog(writer, place).catch((thrown: unknown) => onError?.(thrown));
    }
  };
  const ended = read();
  return { begunAt, abort, ended };
}

/** A log that failed is ended too, so that its readers end. */
async function closeLog(
  writer: LogWriter,
  { log, streamId, keepEndedMs }: StreamPlace,
): Promise<void> {
  try {
    await writer.flushed();
  } finally {
    await log.end(streamId, keepEndedMs);
  }
}

/** An aborted iteration has no `end`, so the last event is made of the outcome. */
async function readEvents(
  { run, onEnd }: RunSource,
  events: AsyncIterator<RunEvent>,
  write: (event: RunEvent) => void,
): Promise<void> {
  let last: RunEvent | undefined;
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    last = next.value;
    if (!isEndOfRun(last)) write(last);
  }
  const outcome = await run.outcome();
  await onEnd?.(outcome);
  const { runId = "", turnNumber = 0 } = last ?? {};
  write({ type: "end", outcome, runId, path: [], turnNumber, at: Date.now() });
}

const isEndOfRun = ({ type, path }: RunEvent): boolean => type === "end" && path.length === 0;
