import { runLoop } from "./agent-loop.ts";
import { parseOptions } from "./config/parse-options.ts";
import type { RunConfig } from "./config/run-config.ts";
import {
  detailsFor,
  type Inside,
  inNoContext,
  insideOf,
  isDetail,
  type Observer,
  type RunEvent,
} from "./contract/event.ts";
import type { RunOptions } from "./contract/options.ts";
import { type Outcome, UnfinishedRun } from "./contract/outcome.ts";

/**
 * A run. It starts at the first iteration, or the first call of `outcome()` or `text()`. It never
 * waits for its observers. An iteration gets the events from its own beginning on. Leaving it early
 * aborts the run.
 */
export interface Run<Output = unknown> extends AsyncIterable<RunEvent> {
  /** Does not reject if a provider or a tool fails. */
  outcome(): Promise<Outcome<Output>>;
  /** The answer of the model. Rejects with `UnfinishedRun` if the status is not `done`. */
  text(): Promise<string>;
  /**
   * The text of each reply that joins the conversation, when it is complete. Text that a recovery
   * discards is not in it. The texts of two turns are apart by a blank line. Throws `UnfinishedRun`
   * at the end if the status is not `done`. Each iteration gets the texts from its own beginning on.
   */
  readonly textStream: AsyncIterable<string>;
  /**
   * What `output` made of the answer, or the input of a tool with `ends`. Rejects with
   * `UnfinishedRun` if the status is not `done`.
   */
  output(): Promise<Output>;
}

/**
 * Runs a model with tools until it is done. Only calls that passed the gate run. Sends no request
 * before the run is iterated, or `outcome()` or `text()` is called.
 * @throws TypeError or RangeError, at once, for options that cannot work. The message names the
 * option.
 */
export function run<Output = unknown>(options: RunOptions<Output>): Run<Output> {
  const config = parseOptions(options);
  const subscribers: Subscribers = new Set();
  const controller = new AbortController();
  let outcome: Promise<Outcome<Output>> | undefined;

  const notify = (event: RunEvent): void => {
    for (const subscriber of subscribers) subscriber(event);
  };
  const start = (): Promise<Outcome<Output>> => {
    const handle = { controller, notify, hasSubscribers: () => subscribers.size > 0 };
    outcome ??= runObserved(config, options, handle) as Promise<Outcome<Output>>;
    return outcome;
  };
  const events = (): Leavable<RunEvent> => eventsOf(start, subscribers);
  return {
    outcome: start,
    textStream: {
      [Symbol.asyncIterator]: () =>
        leavable(textsOf({ [Symbol.asyncIterator]: events }), controller),
    },
    text: async () => finished(await start()).text,
    output: async () => finished(await start()).output,
    [Symbol.asyncIterator]: () => leavable(events(), controller),
  };
}

function finished<Output>(outcome: Outcome<Output>): Outcome<Output> & { readonly status: "done" } {
  if (outcome.status !== "done") throw new UnfinishedRun(outcome);
  return outcome;
}

async function* textsOf(events: AsyncIterable<RunEvent>): AsyncGenerator<string, void> {
  let between = "";
  for await (const event of events) {
    if (event.path.length > 0) continue;
    if (event.type === "recovery" && (event.action === "continue" || event.action === "resume"))
      between = "";
    if (event.type === "end") finished(event.outcome);
    if (event.type !== "turn" || !event.kept || event.turn.text === "") continue;
    yield between + event.turn.text;
    between = "\n\n";
  }
}

type Subscribers = Set<(event: RunEvent) => void>;
interface RunHandle {
  readonly controller: AbortController;
  readonly notify: (event: RunEvent) => void;
  readonly hasSubscribers: () => boolean;
}

/** Connects the run to the caller's signal and `onEvent`, until it ends. */
async function runObserved(
  config: RunConfig,
  { signal, onEvent }: Pick<RunOptions, "signal" | "onEvent">,
  { controller, notify, hasSubscribers }: RunHandle,
): Promise<Outcome> {
  let failure: { readonly observerError: unknown } | undefined;
  const recordFailure = (observerError: unknown): void => {
    failure ??= { observerError };
  };
  const observers = [onEvent ?? []].flat();
  const tell = (observer: Observer, event: RunEvent): void => {
    if (isDetail(event.type) && !detailsFor(observer).has(event.type)) return;
    try {
      const returned: unknown = observer(event);
      if (typeof returned === "object") Promise.resolve(returned).catch(recordFailure);
    } catch (thrown) {
      recordFailure(thrown);
    }
  };
  let hasEnded = false;
  const emit = (event: RunEvent): Inside => {
    // A tool that the run no longer waits for may still report something.
    if (hasEnded) return inNoContext;
    hasEnded = event.type === "end" && event.path.length === 0;
    if (!isDetail(event.type)) notify(event);
    for (const observer of observers) tell(observer, event);
    const begins = event.type === "request" || event.type === "tool-call";
    return begins ? insideOf(event, observers, recordFailure) : inNoContext;
  };
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  try {
    const isWatched = (): boolean => observers.length > 0 || hasSubscribers();
    const outcome = await runLoop(config, {
      signal: controller.signal,
      emit,
      isWatched,
      details: new Set(observers.flatMap((observer) => [...detailsFor(observer)])),
    });
    return { ...outcome, ...failure };
  } catch (thrown) {
    controller.abort(thrown);
    throw thrown;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

type Leavable<Value> = Required<Pick<AsyncIterator<Value, void>, "next" | "return">>;

/** `return()` aborts immediately; an async generator would wait for its next value first. */
function leavable<Value>(
  values: Leavable<Value>,
  controller: AbortController,
): AsyncIterator<Value, void> {
  let hasBegun = false;
  return {
    next: () => {
      hasBegun = true;
      return values.next();
    },
    return: () => {
      if (hasBegun)
        controller.abort(new DOMException("The iteration of the run was left.", "AbortError"));
      return values.return();
    },
  };
}

type EventResult = IteratorResult<RunEvent, void>;

/**
 * The events from the first `next()` on. Written out, because an async generator takes several more
 * steps for each event.
 */
function eventsOf(start: () => Promise<Outcome>, subscribers: Subscribers): Leavable<RunEvent> {
  let [batch, queue, taken]: [RunEvent[], RunEvent[], number] = [[], [], 0];
  let waiting: ((result: EventResult | Promise<EventResult>) => void)[] = [];
  let outcome: Promise<Outcome> | undefined;
  let hasEnded = false;
  const end = async (): Promise<EventResult> => {
    await outcome;
    return { done: true, value: undefined };
  };
  const subscriber = (event: RunEvent): void => {
    const resolve = waiting.shift();
    if (resolve === undefined) queue.push(event);
    else resolve({ done: false, value: event });
  };
  const stop = (): void => {
    hasEnded = true;
    for (const resolve of waiting) resolve(end());
    waiting = [];
  };
  const begin = (): void => {
    subscribers.add(subscriber);
    outcome = start();
    outcome.then(stop, stop);
  };
  return {
    next: () => {
      if (outcome === undefined && !hasEnded) begin();
      if (taken === batch.length) [batch, queue, taken] = [queue, [], 0];
      const event = batch[taken];
      if (event === undefined)
        return hasEnded ? end() : new Promise((resolve) => waiting.push(resolve));
      taken++;
      return Promise.resolve({ done: false, value: event });
    },
    return: () => {
      subscribers.delete(subscriber);
      [batch, queue, taken] = [[], [], 0];
      stop();
      return end();
    },
  };
}
