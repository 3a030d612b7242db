/** What one side adds and the other reads, in order, until it is closed. */
export interface Channel<T> {
  readonly add: (value: T) => void;
  readonly close: () => void;
  readonly values: () => AsyncGenerator<T, void>;
}

/** The progress of a call, for the generator that `execute` is. */
export function createChannel<T>(): Channel<T> {
  let waiting: T[] = [];
  let isClosed = false;
  let wake: () => void = () => undefined;
  async function* values(): AsyncGenerator<T, void> {
    for (;;) {
      const ready = waiting;
      waiting = [];
      yield* ready;
      if (waiting.length > 0) continue;
      if (isClosed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    add: (value) => {
      waiting.push(value);
      wake();
    },
    close: () => {
      isClosed = true;
      wake();
    },
    values,
  };
}
