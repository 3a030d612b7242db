import { startTimer } from "@fullstop/core/adapter";

/** The result of `unlessAborted` if the signal aborted first. */
export const aborted: unique symbol = Symbol("aborted");

/** Gives `aborted` as soon as the signal aborts. The work itself is not stopped. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
): Promise<T | typeof aborted> {
  let unsubscribe = (): void => {};
  const abort = new Promise<typeof aborted>((resolve) => {
    unsubscribe = onAbort(signal, () => resolve(aborted));
  });
  try {
    return await Promise.race([work, abort]);
  } finally {
    unsubscribe();
  }
}

interface SharedListener {
  readonly callbacks: Set<() => void>;
  readonly notify: () => void;
}
/** Adding a listener takes longer the more there are, and a reply may hold thousands of calls. */
const sharedListeners = new WeakMap<AbortSignal, SharedListener>();

/** Calls back when the signal aborts, or at once. Returns a function that unsubscribes. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const { callbacks, notify } = sharedListeners.get(signal) ?? addSharedListener(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0 || sharedListeners.get(signal)?.callbacks !== callbacks) return;
    sharedListeners.delete(signal);
    signal.removeEventListener("abort", notify);
  };
}

function addSharedListener(signal: AbortSignal): SharedListener {
  const callbacks = new Set<() => void>();
  const notify = (): void => {
    for (const callback of callbacks) callback();
  };
  const listener = { callbacks, notify };
  sharedListeners.set(signal, listener);
  signal.addEventListener("abort", notify, { once: true });
  return listener;
}

class DeadlineReached extends DOMException {
  constructor(ms: number) {
    super(`The run did not end within ${ms} ms.`, "TimeoutError");
  }
}

/** Did the deadline abort this signal, and not the caller? */
export const isDeadlineReached = ({ reason }: AbortSignal): boolean =>
  reason instanceof DeadlineReached;

/** Why the signal aborted, as a clause for the model. */
export const abortCause = (signal: AbortSignal): string =>
  isDeadlineReached(signal) ? "the deadline of the run was reached" : "the run was aborted";

/** `clear` stops the timer. */
export function withDeadline(
  signal: AbortSignal,
  ms: number,
): { readonly signal: AbortSignal; readonly clear: () => void } {
  if (ms === Number.POSITIVE_INFINITY) return { signal, clear: () => undefined };
  const controller = new AbortController();
  const clear = startTimer(ms, () => controller.abort(new DeadlineReached(ms)));
  return { signal: AbortSignal.any([signal, controller.signal]), clear };
}
