import {
  isJournalError,
  JournalError,
  type JournalStep,
  type RunLease,
} from "../contract/journal.ts";
import type { StepResult, StepWork } from "./loop-lease.ts";

/** Runs a step, unless its result is recorded, and records the result. */
export async function recordStep<T>(
  lease: RunLease,
  step: JournalStep,
  { run, isTransient, tooLarge }: StepWork<T>,
): Promise<StepResult<T>> {
  const recorded = await lease.read(step.key);
  if (recorded?.state === "ended")
    return { value: parseStep(recorded.json, step) as T, replayed: true };
  if (recorded !== undefined)
    throw new TypeError(
      "The journal has a beginning of a step without side effects. Only the steps of tools begin.",
    );
  const value = await run(() => lease.begin(step));
  // Otherwise observers would get results that the run does not have.
  lease.lost.throwIfAborted();
  if (isTransient(value)) return { value, replayed: false };
  try {
    await lease.end(step, toJson(value, step));
    return { value, replayed: false };
  } catch (thrown) {
    if (tooLarge === undefined || !isJournalError(thrown, "too-large")) throw thrown;
    const smaller = tooLarge(value);
    await lease.end(step, toJson(smaller, step));
    return { value: smaller, replayed: false };
  }
}

function parseStep(json: string, { key }: JournalStep): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new JournalError("damaged", `The journal holds no JSON for the step "${key}".`, {
      cause,
    });
  }
}

function toJson(value: unknown, { key }: JournalStep): string {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined)
    throw new TypeError(`Step ${key} returned a value that JSON cannot represent.`);
  return json;
}
