import { droppedMessage, StreamError } from "../stream-error.ts";
import { createFrameBuffer } from "./frame-buffer.ts";
import type { StreamFrame, StreamPosition } from "./stream-log.ts";

export interface KeptStream {
  readonly hasEnded: boolean;
  add(frames: readonly StreamFrame[]): void;
  end(): void;
  find(after: string | undefined): StreamPosition;
  read(after: string | undefined, signal: AbortSignal): AsyncIterable<readonly StreamFrame[]>;
}

export function createKeptStream(maxBytes: number): KeptStream {
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
