/** The value of an iterator's step, `undefined` at its end, or what it threw. */
export interface Step<Value> {
  readonly value?: Value;
  readonly failure?: { readonly thrown: unknown };
}

/** Never rejects. */
export const settle = <Value>(next: Promise<IteratorResult<Value>>): Promise<Step<Value>> =>
  next.then(
    ({ done, value }) => (done === true ? {} : { value }),
    (thrown: unknown) => ({ failure: { thrown } }),
  );

/** The longest delay of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Waits for `step`, at most until `due`. Returns whether it came. */
export async function waitFor(step: Promise<unknown>, due: number): Promise<boolean> {
  const ms = due - performance.now();
  if (ms > longestTimer) return step.then(() => true);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, ms));
  });
  try {
    return await Promise.race([step.then(() => true), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
