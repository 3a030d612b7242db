import type { StreamFrame } from "./stream-log.ts";

const batchBytes = 64 * 1024;

export interface FrameBuffer {
  add(frames: readonly StreamFrame[]): void;
  /** The position after a frame, or of the first frame. -1: it is not kept. */
  positionAfter(id: string | undefined): number;
  /** The frames from a position on, or some of them. Undefined: they are not kept. */
  batchFrom(position: number): readonly StreamFrame[] | undefined;
  end(): number;
}

/** Keeps one frame of any size, so that a large one reaches clients, and `maxBytes` after it. */
export function createFrameBuffer(maxBytes: number): FrameBuffer {
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
    add: (added) => {
      for (const frame of added) {
        frames.push(frame);
        bytes += frame.bytes.length;
      }
      if (bytesAfter(0) > maxBytes) dropOldest();
    },
    positionAfter: (after) => {
      if (after === undefined) return droppedCount === 0 ? 0 : -1;
      const index = frames.findLastIndex(({ id }) => id === after);
      return index < 0 ? -1 : droppedCount + index + 1;
    },
    batchFrom: (position) => {
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
    end: () => droppedCount + frames.length,
  };
}
