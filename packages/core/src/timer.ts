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
