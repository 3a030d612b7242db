import {
  checkOptions,
  type OptionKind,
  type OptionKinds,
  positiveInteger,
  withMethods,
} from "@fullstop/core/adapter";
import { type Audience, createAudience } from "./audience.ts";
import { type MemoryLogOptions, memoryLog } from "./log/memory-log.ts";
import type { StreamFrame, StreamLog, StreamPosition } from "./log/stream-log.ts";
import { type RunSource, type StreamedRun, streamRun } from "./streamed-run.ts";

/** How long streams run without a client, and what is kept of them. */
export interface RunStreamsOptions extends MemoryLogOptions {
  /**
   * How long a run goes on after its last client has left, in milliseconds. Then it is aborted. 0:
   * at once. `Infinity`: never. Default: 30,000.
   */
  readonly graceMs?: number | undefined;
  /**
   * How long a stream that has ended can still be read, in milliseconds. 0: a client that was away
   * when it ended gets nothing. Default: 60,000.
   */
  readonly keepEndedMs?: number | undefined;
  /** Where the events are kept. Default: `memoryLog`, with `maxBytes` and `maxStreams`. */
  readonly log?: StreamLog | undefined;
}

/** A client of a stream. */
export interface StreamClient {
  readonly frames: AsyncIterable<readonly StreamFrame[]>;
  /** The client has gone. May be called twice. */
  leave(): void;
}

/** The runs of this process whose clients can come back. One run for each stream id. */
export interface RunStreams {
  /** Whether this process runs the stream. */
  isRunning(streamId: string): boolean;
  /**
   * Aborts the run of a stream, such as for a stop button. Resolves after its end is in the log.
   * `false`: this process runs no such stream.
   */
  stop(streamId: string): Promise<boolean>;
  /** Aborts all runs of this process. Resolves after their ends are in the log. */
  close(): Promise<void>;
  /** Starts a run as a stream. A run that has this id is aborted first. For new kinds of responses. */
  start(streamId: string, source: RunSource): Promise<StreamedRun>;
  /** What a client that has seen `after` can get. For new kinds of responses. */
  find(streamId: string, after: string | undefined): Promise<StreamPosition>;
  /** Adds a client that has seen `after`. For new kinds of responses. */
  connect(streamId: string, after: string | undefined): StreamClient;
}

/** A longer timer of the runtime would end at once. */
const longestTimerMs = 2 ** 31 - 1;
const millisecondsTo = (longest: number): OptionKind => ({
  isValid: (value) => typeof value === "number" && value >= 0 && value <= longest,
  expected: `milliseconds, from 0 to ${longest}`,
});
const streamsKinds: OptionKinds<Required<RunStreamsOptions>> = {
  graceMs: millisecondsTo(Number.POSITIVE_INFINITY),
  keepEndedMs: millisecondsTo(longestTimerMs),
  maxBytes: positiveInteger,
  maxStreams: positiveInteger,
  log: withMethods(["create", "append", "end", "find", "read"], "a `StreamLog`"),
};

interface Running {
  readonly run: StreamedRun;
  readonly audience: Audience;
}

/**
 * Keeps what runs send, so that clients can lose their connection and come back.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function createRunStreams(options: RunStreamsOptions = {}): RunStreams {
  checkOptions(options, streamsKinds, { of: "createRunStreams" });
  const { graceMs = 30_000, keepEndedMs = 60_000, maxBytes = 4 * 1024 * 1024 } = options;
  const log = options.log ?? memoryLog(options);
  const running = new Map<string, Running>();
  const inTurn = createTurns();

  const stop = async (streamId: string): Promise<boolean> => {
    const found = running.get(streamId);
    found?.run.abort();
    await found?.run.ended;
    return found !== undefined;
  };
  const start = async (streamId: string, source: RunSource): Promise<StreamedRun> => {
    await stop(streamId);
    const run = await streamRun(source, { log, streamId, maxBytes, keepEndedMs });
    const isRead = (): Promise<boolean> => isReadElsewhere(log, streamId);
    const audience = createAudience({ graceMs, isReadElsewhere: isRead, abort: run.abort });
    running.set(streamId, { run, audience });
    const remove = (): void => {
      audience.close();
      running.delete(streamId);
    };
    run.ended.then(remove, remove);
    return run;
  };
  return {
    isRunning: (streamId) => running.has(streamId),
    stop,
    close: async () => {
      await Promise.all([...running.keys()].map(stop));
    },
    start: (streamId, source) => inTurn(streamId, () => start(streamId, source)),
    find: async (streamId, after) => log.find(streamId, after),
    connect: (streamId, after) => {
      const audience = running.get(streamId)?.audience;
      const away = new AbortController();
      audience?.join();
      return {
        frames: log.read(streamId, after, away.signal),
        leave: () => {
          if (away.signal.aborted) return;
          away.abort();
          audience?.leave();
        },
      };
    },
  };
}

/** If the log cannot answer, this process counts its own clients only. */
async function isReadElsewhere(log: StreamLog, streamId: string): Promise<boolean> {
  try {
    return (await log.isReadElsewhere?.(streamId)) ?? false;
  } catch {
    return false;
  }
}

/** Two requests for one stream start their runs one after the other. */
function createTurns(): <Value>(key: string, work: () => Promise<Value>) => Promise<Value> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, done);
    const remove = (): void => {
      if (last.get(key) === done) last.delete(key);
    };
    done.then(remove, remove);
    return done;
  };
}
