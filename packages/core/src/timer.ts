/** https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Calls back after `ms` milliseconds, however many they are; never if `ms` is `Infinity`.
 * @returns a function that stops the timer.
 */
export function startTimer(ms: number, onEnd: () => void): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (left: number): void => {
    const next = (): void => (left > longestTimerMs ? wait(left - longestTimerMs) : onEnd());
    timer = setTimeout(next, Math.min(left, longestTimerMs));
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** What `work` gives; undefined if `ms` milliseconds are over first. The work is not stopped. */
export async function withinTime<Value>(
  work: Promise<Value>,
  ms: number,
): Promise<Value | undefined> {
  let stopTimer = (): void => undefined;
  const late = new Promise<undefined>((resolve) => {
    stopTimer = startTimer(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stopTimer();
  }
}

/** Resolves after `ms` milliseconds, or when the signal aborts. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted || ms <= 0) return resolve();
    const wake = (): void => {
      stopTimer();
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const stopTimer = startTimer(ms, wake);
    signal.addEventListener("abort", wake, { once: true });
  });
