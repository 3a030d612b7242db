import { type Adapter, type EventBatches, ProviderError, type TurnEvent } from "@fullstop/core";

/** What a reply can begin with. An HTTP head, a ping or an id is news of it, and nothing of it. */
const begins: Readonly<Record<TurnEvent["type"], boolean>> = {
  text: true,
  thinking: true,
  "tool-input-start": true,
  "tool-input-delta": true,
  "tool-input-end": true,
  native: true,
  "provider-data": true,
  stop: true,
  error: true,
  "side-effects": true,
  meta: false,
  usage: false,
};

/** An adapter for one request, whose reply counts as interrupted where nothing of it has come after so many milliseconds. */
export function beginningWithin(ms: number, adapter: Adapter): Adapter {
  let giveUp: (reason: unknown) => void = () => undefined;
  const late = new Promise<never>((_, reject) => (giveUp = reject));
  late.catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let begun = false;
  const settle = (): void => {
    begun = true;
    clearTimeout(timer);
  };
  const wait = (signal: AbortSignal): void => {
    timer = setTimeout(() => giveUp(tooLate(ms)), Math.min(ms, longestTimer));
    signal.addEventListener("abort", settle, { once: true });
  };
  const inTime = <T>(work: Promise<T>): Promise<T> => Promise.race([work, late]);
  return {
    ...adapter,
    open: async (request, signal) => {
      wait(signal);
      const batches = await inTime(adapter.open(request, signal));
      // `readTurn` says what is wrong with a reply that cannot be iterated.
      if (typeof batches?.[Symbol.asyncIterator] !== "function") return batches;
      return watched(batches, { next: (step) => (begun ? step : inTime(step)), end: settle });
    },
    decoder: (emit) =>
      adapter.decoder((event) => {
        if (!begun && begins[event.type] && !("text" in event && event.text === "")) settle();
        emit(event);
      }),
  };
}

interface Watch {
  readonly next: <T>(step: Promise<T>) => Promise<T>;
  readonly end: () => void;
}
function watched(batches: EventBatches<unknown>, { next, end }: Watch): EventBatches<unknown> {
  const { head } = batches;
  const iterate = (): AsyncIterator<readonly unknown[]> => {
    const inner = batches[Symbol.asyncIterator]();
    return {
      next: async () => {
        const step = await next(inner.next());
        if (step.done) end();
        return step;
      },
      return: async () => (await inner.return?.()) ?? { done: true, value: undefined },
    };
  };
  return { ...(head && { head }), [Symbol.asyncIterator]: iterate };
}

/** What a timer can hold. */
const longestTimer = 2 ** 31 - 1;
const tooLate = (ms: number): ProviderError =>
  new ProviderError(`Nothing of the reply came within ${ms / 1000} s; waiting for it stopped.`, {
    kind: "timeout",
  });
