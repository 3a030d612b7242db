import { startTimer } from "@fullstop/core/adapter";

export interface Silence {
  isOver(): boolean;
  restart(wait?: number): void;
  /** What `work` gives; undefined if the wait is over first. */
  before<Value>(work: Promise<Value>): Promise<Value | undefined>;
  stop(): void;
}

/** A wait that ends after `ms` milliseconds. It has one timer, because most events restart it. */
export function createSilence(ms: number): Silence {
  let due = performance.now() + ms;
  let wake = (): void => undefined;
  let stopTimer: (() => void) | undefined;
  const isOver = (): boolean => performance.now() >= due;
  const onTimer = (): void => {
    stopTimer = undefined;
    if (isOver()) wake();
    else start();
  };
  const start = (): void => {
    stopTimer ??= startTimer(Math.max(0, due - performance.now()), onTimer);
  };
  const stop = (): void => {
    stopTimer?.();
    stopTimer = undefined;
  };
  return {
    isOver,
    restart(wait = ms): void {
      due = performance.now() + wait;
      if (wait < ms) stop();
    },
    before: <Value>(work: Promise<Value>): Promise<Value | undefined> =>
      new Promise((resolve) => {
        wake = () => resolve(undefined);
        void work.then(resolve);
        start();
      }),
    stop,
  };
}
