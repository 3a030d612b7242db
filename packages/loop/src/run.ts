import { drive } from "./drive.ts";
import type { RunEvent } from "./event.ts";
import { type Plan, planOf, type RunOptions } from "./options.ts";
import { type Outcome, UnfinishedRun } from "./outcome.ts";

/**
 * A run starts when its events, its outcome or its text are first asked for. It never waits for those who watch.
 * An iteration sees what happens from its beginning on; leaving it early aborts the run.
 */
export interface Run extends AsyncIterable<RunEvent> {
  /** Never rejects for what a provider or a tool does. */
  outcome(): Promise<Outcome>;
  /** The model's answer; rejects with `UnfinishedRun` unless the status is `done`. */
  text(): Promise<string>;
}

/**
 * Runs a model with tools until it is done. Only calls that passed the gate run. Nothing is asked before somebody iterates, or asks for `outcome()` or `text()`.
 * @throws TypeError or RangeError, at once, for options that cannot work: the sentence says which, and why.
 */
export function run(options: RunOptions): Run {
  const plan = planOf(options);
  const watchers: Watchers = new Set();
  const controller = new AbortController();
  let running: Promise<Outcome> | undefined;

  const tell = (event: RunEvent): void => {
    for (const watcher of watchers) watcher(event);
  };
  const start = (): Promise<Outcome> => {
    running ??= observed(plan, options, { controller, tell });
    return running;
  };
  return {
    outcome: start,
    text: async () => {
      const outcome = await start();
      if (outcome.status !== "done") throw new UnfinishedRun(outcome);
      return outcome.text;
    },
    [Symbol.asyncIterator]: () => watch(start, watchers, controller),
  };
}

type Watchers = Set<(event: RunEvent) => void>;
interface Inside {
  readonly controller: AbortController;
  readonly tell: (event: RunEvent) => void;
}

/** The run under the caller's signal and observer, neither of which outlives it. */
async function observed(
  plan: Plan,
  { signal, onEvent }: RunOptions,
  { controller, tell }: Inside,
): Promise<Outcome> {
  let thrown: { readonly observerError: unknown } | undefined;
  const note = (observerError: unknown): void => {
    thrown ??= { observerError };
  };
  const emit = (event: RunEvent): void => {
    tell(event);
    try {
      const watching: unknown = onEvent?.(event);
      if (typeof watching === "object") Promise.resolve(watching).catch(note);
    } catch (thrown) {
      note(thrown);
    }
  };
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  try {
    const outcome = await drive(plan, { signal: controller.signal, emit });
    return { ...outcome, ...thrown };
  } catch (fault) {
    controller.abort(fault);
    throw fault;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Leaving is heard at once, also by a run that has nothing to tell: a generator alone would first wait for its next event. */
function watch(
  start: () => Promise<Outcome>,
  watchers: Watchers,
  controller: AbortController,
): AsyncIterator<RunEvent, void> {
  const events = follow(start, watchers);
  let begun = false;
  return {
    next: () => {
      begun = true;
      return events.next();
    },
    return: () => {
      if (begun)
        controller.abort(new DOMException("The iteration over the run was left.", "AbortError"));
      return events.return();
    },
  };
}

async function* follow(
  start: () => Promise<Outcome>,
  watchers: Watchers,
): AsyncGenerator<RunEvent, void> {
  let queue: RunEvent[] = [];
  let ended = false;
  let wake = (): void => {};
  const watcher = (event: RunEvent): void => {
    queue.push(event);
    wake();
  };
  const end = (): void => {
    ended = true;
    wake();
  };
  watchers.add(watcher);
  const running = start();
  running.then(end, end);
  try {
    while (!ended || queue.length > 0) {
      const batch = queue;
      queue = [];
      yield* batch;
      if (queue.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    watchers.delete(watcher);
    await running;
  }
}
