/** Calls a function of the user, such as a logger. What it throws is printed, and ends nothing. */
export function callUserFunction<Result>(
  option: string,
  call: () => Result,
  otherwise: Result,
): Result {
  const print = (thrown: unknown): void =>
    console.error(`Fullstop: the option ${option} threw an error.`, thrown);
  try {
    const result = call();
    if (result instanceof Promise) result.catch(print);
    return result;
  } catch (thrown) {
    print(thrown);
    return otherwise;
  }
}
