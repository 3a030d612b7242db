import type { ProviderError } from "./contract/error.ts";
import { startTimer } from "./timer.ts";

export interface TimeLimit {
  readonly ms: number;
  readonly error: () => ProviderError;
}

export interface Watch {
  /** The request's own: it follows the caller's, on which no SDK then leaves a listener. */
  readonly signal: AbortSignal;
  /** Waits for one step: at most until its time limit or an abort. */
  until<Value>(step: () => Promise<Value>, limit: TimeLimit): Promise<Value>;
  /** `unread`: the request is given up. */
  stop(how: { readonly unread: boolean }): void;
}

/** One timer and one listener for a reply: one of each per chunk costs more than reading it. */
export function createWatch(callers: AbortSignal | undefined): Watch {
  const controller = new AbortController();
  let giveUp: (reason: unknown) => void = () => undefined;
  let due = Number.POSITIVE_INFINITY;
  let errorOf: TimeLimit["error"] | undefined;
  let stopTimer = (): void => undefined;
  let wakes = Number.POSITIVE_INFINITY;
  const abort = (reason: unknown): void => {
    controller.abort(reason);
    giveUp(controller.signal.reason);
  };
  const follow = (): void => abort(callers?.reason);
  const check = (): void => {
    wakes = Number.POSITIVE_INFINITY;
    if (performance.now() >= due) abort(errorOf?.());
    else wakeAt(due);
  };
  const wakeAt = (time: number): void => {
    if (time >= wakes) return;
    stopTimer();
    wakes = time;
    stopTimer = startTimer(Math.ceil(time - performance.now()), check);
  };
  callers?.addEventListener("abort", follow, { once: true });
  if (callers?.aborted) follow();
  return {
    signal: controller.signal,
    until: (step, { ms, error }) =>
      new Promise((resolve, reject) => {
        if (controller.signal.aborted) return reject(controller.signal.reason);
        giveUp = reject;
        errorOf = error;
        due = performance.now() + ms;
        wakeAt(due);
        return step().then(resolve, reject);
      }),
    stop: ({ unread }) => {
      stopTimer();
      callers?.removeEventListener("abort", follow);
      if (unread) controller.abort();
    },
  };
}
