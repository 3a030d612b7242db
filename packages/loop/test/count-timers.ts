import { AsyncLocalStorage } from "node:async_hooks";

const startedBy = new AsyncLocalStorage<object>();

/**
 * Counts the fake timers that are started from here on and have neither ended nor been cleared.
 * `vi.getTimerCount` also counts those of the servers and clients that other test files of the same
 * worker left behind.
 */
export function countTimers(): () => number {
  const test = {};
  startedBy.enterWith(test);
  const pending = new Set<unknown>();
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  const startCounted = (
    callback: (...args: unknown[]) => void,
    ms?: number,
    ...args: unknown[]
  ) => {
    const timer = start(() => {
      pending.delete(timer);
      callback(...args);
    }, ms);
    if (startedBy.getStore() === test) pending.add(timer);
    return timer;
  };
  globalThis.setTimeout = startCounted as typeof setTimeout;
  globalThis.clearTimeout = ((timer) => {
    pending.delete(timer);
    clear(timer);
  }) as typeof clearTimeout;
  return () => pending.size;
}
