/**
 * Calls a function that the user gave. If it throws, the error is printed and the reply goes out all
 * the same: a fault of a logger must not cost a finished reply.
 */
export function callUserFunction<Result>(
  name: string,
  call: () => Result,
  otherwise: Result,
): Result {
  try {
    return call();
  } catch (thrown) {
    console.error(`Fullstop: the option \`${name}\` of the guard threw an error.`, thrown);
    return otherwise;
  }
}
