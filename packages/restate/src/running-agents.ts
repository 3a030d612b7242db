/** If Restate restarts, the next attempt finds the tools running, and no calls in doubt. */
const graceMs = 60_000;

interface RunningAgent<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  attempts: number;
  timer?: NodeJS.Timeout;
}

export interface RunningAgents<T> {
  /**
   * Starts a run, or waits for the one of an earlier attempt. `attemptEnded` aborts when Restate no
   * longer waits for this attempt.
   */
  join(
    key: string,
    attemptEnded: AbortSignal,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  abort(key: string, reason: unknown): Promise<void>;
}

/** Keeps runs alive between two attempts of Restate to run them. */
export function createRunningAgents<T>(): RunningAgents<T> {
  const running = new Map<string, RunningAgent<T>>();
  const launch = (key: string, start: (signal: AbortSignal) => Promise<T>): RunningAgent<T> => {
    const controller = new AbortController();
    const result = start(controller.signal).finally(() => {
      clearTimeout(agent.timer);
      running.delete(key);
    });
    const agent: RunningAgent<T> = { result, controller, attempts: 0 };
    running.set(key, agent);
    return agent;
  };
  return {
    join: (key, attemptEnded, start) => {
      const agent = running.get(key) ?? launch(key, start);
      clearTimeout(agent.timer);
      agent.attempts += 1;
      const leave = (): void => {
        agent.attempts -= 1;
        if (agent.attempts > 0 || running.get(key) !== agent) return;
        agent.timer = setTimeout(() => agent.controller.abort(detachedError()), graceMs);
      };
      if (attemptEnded.aborted) leave();
      else attemptEnded.addEventListener("abort", leave, { once: true });
      return agent.result;
    },
    abort: async (key, reason) => {
      const agent = running.get(key);
      agent?.controller.abort(reason);
      // The attempt that waits for it gets the error.
      await agent?.result.catch(() => undefined);
    },
  };
}

const detachedError = (): DOMException =>
  new DOMException(
    `Restate has not waited for this run for ${graceMs / 1000} s, so this process stops it.`,
    "AbortError",
  );
