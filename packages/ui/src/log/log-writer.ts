import type { StreamFrame, StreamLog } from "./stream-log.ts";

export interface LogWriter {
  write(frames: readonly StreamFrame[]): void;
  /** Resolves when everything is in the log. Rejects if the log failed. */
  flushed(): Promise<void>;
}

/** The run never waits for the log. One that is more than `maxBytes` behind has failed. */
export function createLogWriter(log: StreamLog, streamId: string, maxBytes: number): LogWriter {
  let queue: StreamFrame[] = [];
  let bytes = 0;
  let failure: { readonly thrown: unknown } | undefined;
  let isDraining = false;
  let drained: Promise<void> = Promise.resolve();

  const fail = (thrown: unknown): void => {
    failure ??= { thrown };
    queue = [];
  };
  const drain = async (): Promise<void> => {
    isDraining = true;
    try {
      while (queue.length > 0) {
        const batch = queue;
        queue = [];
        bytes = 0;
        const appended = log.append(streamId, batch);
        if (appended !== undefined) await appended;
      }
    } catch (thrown) {
      fail(thrown);
    }
    isDraining = false;
  };
  return {
    write: (frames) => {
      if (failure !== undefined || frames.length === 0) return;
      queue.push(...frames);
      bytes += frames.reduce((sum, frame) => sum + frame.bytes.length, 0);
      if (isDraining && bytes > maxBytes)
        fail(new Error(`The log of the stream ${streamId} is more than ${maxBytes} bytes behind.`));
      if (!isDraining) drained = drain();
    },
    flushed: async () => {
      while (isDraining) await drained;
      if (failure !== undefined) throw failure.thrown;
    },
  };
}
