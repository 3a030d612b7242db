/**
 * The step of the attempt after this one. The key of the call is the step of its first attempt, and
 * the idempotency key of all of them.
 */
export function nextAttempt(key: string, stepKey: string): string {
  const number = Number(stepKey.slice(`${key}/attempt/`.length) || 1);
  return `${key}/attempt/${number + 1}`;
}

/** Each attempt has an id of its own: the same answers are given again after a crash. */
export const attemptId = (id: string, key: string, stepKey: string): string =>
  `${id}${stepKey.slice(key.length)}`;
