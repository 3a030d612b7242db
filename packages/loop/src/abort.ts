export const aborted: unique symbol = Symbol("aborted");

/** What `work` gives, or `aborted` as soon as the signal is; work that goes on is left alone. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | typeof aborted> {
  let stop = (): void => {};
  const stopped = new Promise<typeof aborted>((resolve) => {
    stop = () => resolve(aborted);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
