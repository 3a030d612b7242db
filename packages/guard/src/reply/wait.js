/** Never rejects. */
export const settle = (next) =>
  next.then(
    ({ done, value }) => (done === true ? {} : { value }),
    (thrown) => ({ failure: { thrown } }),
  );
/** The longest delay of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;
/** Waits for `step`, at most until `due`. Returns whether it came. */
export async function waitFor(step, due) {
  const ms = due - performance.now();
  if (ms > longestTimer) return step.then(() => true);
  let timer;
  const timeUp = new Promise((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, ms));
  });
  try {
    return await Promise.race([step.then(() => true), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
