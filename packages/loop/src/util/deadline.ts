import { startTimer } from "@fullstop/core/adapter";

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

/**
 * A signal that aborts with the given one, and after `ms` milliseconds. `clear` stops the timer.
 */
export function withDeadline(
  signal: AbortSignal,
  ms: number,
): { readonly signal: AbortSignal; readonly clear: () => void } {
  if (ms === Number.POSITIVE_INFINITY) return { signal, clear: () => undefined };
  const controller = new AbortController();
  const clear = startTimer(ms, () => controller.abort(new DeadlineReached(ms)));
  return { signal: AbortSignal.any([signal, controller.signal]), clear };
}
