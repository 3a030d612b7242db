import { StreamError } from "../stream-error.ts";
import { createKeptStream, type KeptStream } from "./kept-stream.ts";
import type { StreamLog } from "./stream-log.ts";

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
