import { droppedMessage, StreamError } from "../stream-error.ts";
import type { StreamFrame, StreamLog, StreamPosition } from "./stream-log.ts";

interface KeptStream {
  readonly hasEnded: boolean;
  add(frames: readonly StreamFrame[]): void;
  end(): void;
  find(after: string | undefined): StreamPosition;
  read(after: string | undefined, signal: AbortSignal): AsyncIterable<readonly StreamFrame[]>;
}

function createKeptStream(maxBytes: number): KeptStream {
  const buffer = createFrameBuffer(maxBytes);
  const waiting = new Set<() => void>();
  let hasEnded = false;
  const wakeReaders = (): void => {
    for (const wake of waiting) wake();
  };
  async function* read(
    after: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StreamFrame[], void> {
    let position = buffer.positionAfter(after);
    while (!signal.aborted) {
      const batch = buffer.batchFrom(position);
      if (batch === undefined) throw new StreamError("dropped", droppedMessage);
      position += batch.length;
      if (batch.length > 0) yield batch;
      else if (hasEnded) return;
      else await nextChange(waiting, signal);
    }
  }
  return {
    get hasEnded() {
      return hasEnded;
    },
    add: (frames) => {
      buffer.add(frames);
      wakeReaders();
    },
    end: () => {
      hasEnded = true;
      wakeReaders();
    },
    find: (after) => {
      const position = buffer.positionAfter(after);
      if (position < 0) return "dropped";
      return hasEnded && position === buffer.end() ? "complete" : "available";
    },
    read,
  };
}

function nextChange(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}

const batchBytes = 64 * 1024;

/** Keeps one frame of any size, so that a large one reaches clients, and `maxBytes` after it. */
function createFrameBuffer(maxBytes: number) {
  let frames: StreamFrame[] = [];
  let droppedCount = 0;
  let bytes = 0;
  const bytesAfter = (index: number): number => bytes - (frames[index]?.bytes.length ?? 0);
  /** Drops a quarter at once: each call moves all frames that stay. */
  const dropOldest = (): void => {
    let count = 0;
    while (bytesAfter(count) > maxBytes * 0.75) bytes = bytesAfter(count++);
    frames = frames.slice(count);
    droppedCount += count;
  };
  return {
    add: (added: readonly StreamFrame[]): void => {
      for (const frame of added) {
        frames.push(frame);
        bytes += frame.bytes.length;
      }
      if (bytesAfter(0) > maxBytes) dropOldest();
    },
    /** The position after a frame, or of the first frame. -1: it is not kept. */
    positionAfter: (after: string | undefined): number => {
      if (after === undefined) return droppedCount === 0 ? 0 : -1;
      const index = frames.findLastIndex(({ id }) => id === after);
      return index < 0 ? -1 : droppedCount + index + 1;
    },
    /** The frames from a position on, or some of them. Undefined: they are not kept. */
    batchFrom: (position: number): readonly StreamFrame[] | undefined => {
      if (position < droppedCount) return undefined;
      const batch: StreamFrame[] = [];
      let size = 0;
      for (let index = position - droppedCount; index < frames.length; index++) {
        const frame = frames[index];
        if (frame === undefined || size >= batchBytes) break;
        batch.push(frame);
        size += frame.bytes.length;
      }
      return batch;
    },
    end: (): number => droppedCount + frames.length,
  };
}

/** How much a log in memory holds. */
export interface MemoryLogOptions {
  /**
   * The bytes of events that are kept for each stream, and so the most that a client can be behind.
   * If there are more, the oldest are dropped; a single event may be larger. Default: 4 MiB.
   */
  readonly maxBytes?: number | undefined;
  /**
   * How many streams are kept at once. The oldest ended one makes place for a new one; if all of
   * them run, a new one is refused. Default: 1,000.
   */
  readonly maxStreams?: number | undefined;
}

interface Entry {
  readonly stream: KeptStream;
  stopTimer(): void;
}

/** Keeps streams in the memory of this process. */
export function memoryLog({
  maxBytes = 4 * 1024 * 1024,
  maxStreams = 1_000,
}: MemoryLogOptions = {}): StreamLog {
  const entries = new Map<string, Entry>();
  const forget = (streamId: string): void => {
    const entry = entries.get(streamId);
    entry?.stopTimer();
    entry?.stream.end();
    entries.delete(streamId);
  };
  const makePlace = (): void => {
    if (entries.size < maxStreams) return;
    const ended = [...entries].find(([, { stream }]) => stream.hasEnded);
    if (ended === undefined)
      throw new StreamError(
        "full",
        `${maxStreams} streams run, and no more may run at once (\`maxStreams\`).`,
      );
    forget(ended[0]);
  };
  return {
    create: (streamId) => {
      forget(streamId);
      makePlace();
      const stream = createKeptStream(maxBytes);
      entries.set(streamId, { stream, stopTimer: () => undefined });
    },
    append: (streamId, frames) => entries.get(streamId)?.stream.add(frames),
    end: (streamId, keepMs) => {
      const entry = entries.get(streamId);
      if (entry === undefined) return;
      entry.stream.end();
      if (keepMs === 0) return forget(streamId);
      const forgetThis = (): void => {
        if (entries.get(streamId)?.stream === entry.stream) forget(streamId);
      };
      entry.stopTimer = startIdleTimer(keepMs, forgetThis);
    },
    find: (streamId, after) => entries.get(streamId)?.stream.find(after) ?? "unknown",
    read: (streamId, after, signal) =>
      entries.get(streamId)?.stream.read(after, signal) ?? nothing(),
  };
}

async function* nothing(): AsyncGenerator<never, void> {}

/** A timer that does not keep the process alive, where the runtime can tell it so. */
function startIdleTimer(ms: number, onEnd: () => void): () => void {
  const timer: unknown = setTimeout(onEnd, ms);
  (timer as { readonly unref?: () => void }).unref?.();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
}
