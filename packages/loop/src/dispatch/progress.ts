import { isObject } from "../util/values.ts";

type Progressing = AsyncGenerator<unknown, unknown> | Generator<unknown, unknown>;

const generatorMethods = ["next", "return", "throw"] as const;

/** Did `execute` return a generator? An iterable that is only data has no `throw`. */
export const isGenerator = (returned: unknown): returned is Progressing =>
  isObject(returned) &&
  generatorMethods.every((method) => typeof returned[method] === "function") &&
  (Symbol.asyncIterator in returned || Symbol.iterator in returned);

/**
 * Reports what the generator yields, and gives what it returns. After an abort nothing is reported,
 * and the generator ends at its next `yield`, so that its `finally` runs.
 */
export async function finishGenerator(
  generator: Progressing,
  signal: AbortSignal,
  onProgress: (progress: unknown) => void,
): Promise<unknown> {
  const leave = (): void => void leaveGenerator(generator);
  signal.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const step = await generator.next();
      if (step.done) return step.value;
      if (signal.aborted) return leave();
      onProgress(step.value);
    }
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** The result of the call is already decided, so what the generator throws now changes nothing. */
async function leaveGenerator(generator: Progressing): Promise<void> {
  try {
    await generator.return(undefined);
  } catch {
    // See above.
  }
}
