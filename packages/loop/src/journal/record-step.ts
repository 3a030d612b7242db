import { isJournalError, type JournalStep, type RunLease } from "../contract/journal.ts";
import { parseStep, type StepResult, type StepWork, Unrecorded } from "./loop-lease.ts";

/** Runs a step, unless its result is recorded, and records the result. */
export async function recordStep<T, U = never>(
  lease: RunLease,
  step: JournalStep,
  { run, tooLarge }: StepWork<T, U>,
): Promise<StepResult<T, U>> {
  const recorded = await lease.read(step.key);
  if (recorded?.state === "ended")
    return { isRecorded: true, value: parseStep(recorded.json, step) as T, replayed: true };
  if (recorded !== undefined)
    throw new TypeError(
      "The journal has a beginning of a step without side effects. Only the steps of tools begin.",
    );
  const value = await run(() => lease.begin(step));
  // Otherwise observers would get results that the run does not have.
  lease.lost.throwIfAborted();
  if (value instanceof Unrecorded)
    return { isRecorded: false, value: value.value, replayed: false };
  try {
    await lease.end(step, toJson(value, step));
    return { isRecorded: true, value, replayed: false };
  } catch (thrown) {
    if (tooLarge === undefined || !isJournalError(thrown, "too-large")) throw thrown;
    const smaller = tooLarge(value);
    await lease.end(step, toJson(smaller, step));
    return { isRecorded: true, value: smaller, replayed: false };
  }
}

function toJson(value: unknown, { key }: JournalStep): string {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined)
    throw new TypeError(`Step ${key} returned a value that JSON cannot represent.`);
  return json;
}
