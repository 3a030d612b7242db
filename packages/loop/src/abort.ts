export const aborted: unique symbol = Symbol("aborted");

/** What `work` gives, or `aborted` as soon as the signal is; work that goes on is left alone. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
): Promise<T | typeof aborted> {
  let leave = (): void => {};
  const stopped = new Promise<typeof aborted>((resolve) => {
    if (signal.aborted) resolve(aborted);
    else leave = onAbort(signal, () => resolve(aborted));
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    leave();
  }
}

interface Listener {
  readonly stops: Set<() => void>;
  readonly tell: () => void;
}
/** One listener for all that wait on a signal: a signal looks through its listeners for each one that comes, and a reply may hold thousands of calls. */
const listeners = new WeakMap<AbortSignal, Listener>();

/** Calls back once the signal is aborted. Gives the way to leave before. */
function onAbort(signal: AbortSignal, stop: () => void): () => void {
  const { stops, tell } = listeners.get(signal) ?? listenTo(signal);
  stops.add(stop);
  return () => {
    stops.delete(stop);
    if (stops.size > 0 || listeners.get(signal)?.stops !== stops) return;
    listeners.delete(signal);
    signal.removeEventListener("abort", tell);
  };
}

function listenTo(signal: AbortSignal): Listener {
  const stops = new Set<() => void>();
  const tell = (): void => {
    for (const stop of stops) stop();
  };
  const listener = { stops, tell };
  listeners.set(signal, listener);
  signal.addEventListener("abort", tell, { once: true });
  return listener;
}
