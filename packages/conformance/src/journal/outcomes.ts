import type { RecordedStep } from "@fullstop/loop/journal";
import { shortenMiddle } from "../harness/json.ts";

/** An operation did not end in time. */
export class Unsettled extends Error {
  override readonly name = "Unsettled";
}

export type Settled<Value> =
  | { readonly isFulfilled: true; readonly value: Value }
  | { readonly isFulfilled: false; readonly thrown: unknown };

/** Waits for an operation, at most `ms` milliseconds. A rejection becomes a value. */
export async function settle<Value>(
  operation: Promise<Value>,
  ms: number,
): Promise<Settled<Value>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unsettled(`nothing happened for ${ms / 1000} s`)), ms);
  });
  try {
    return { isFulfilled: true, value: await Promise.race([operation, late]) };
  } catch (thrown) {
    return { isFulfilled: false, thrown };
  } finally {
    clearTimeout(timer);
  }
}

/** The kind of a `JournalError`. Another copy of the class counts too. */
export function kindOfError(thrown: unknown): string | undefined {
  const isJournalError = thrown instanceof Error && thrown.name === "JournalError";
  return isJournalError && "kind" in thrown && typeof thrown.kind === "string"
    ? thrown.kind
    : undefined;
}

/** What an error says, on one line. */
export function describeRejection(thrown: unknown): string {
  if (thrown instanceof Unsettled) return thrown.message;
  const kind = kindOfError(thrown);
  if (kind !== undefined) return `rejects with a JournalError of the kind ${kind}`;
  if (thrown instanceof Error) return `rejects with ${thrown.name}: ${thrown.message}`;
  return `rejects with ${String(thrown)}`;
}

/** What a settled operation did, on one line. */
export const describeSettled = (settled: Settled<unknown>): string =>
  settled.isFulfilled ? "resolves" : describeRejection(settled.thrown);

/** The outcome, or only that it was a rejection. */
export const withoutReason = (outcome: string): string =>
  outcome.startsWith("rejects") ? "rejects" : outcome;

/** What an operation does, on one line. Its connection limits its time. */
export async function outcomeOf(operation: Promise<unknown>): Promise<string> {
  try {
    await operation;
    return "resolves";
  } catch (thrown) {
    return describeRejection(thrown);
  }
}

/** The expected result of an operation that another process has made impossible. */
export const rejectsWith = (kind: string): string =>
  `rejects with a JournalError of the kind ${kind}`;

/** How many characters of a text one line of a report shows. */
const maxShown = 300;

/** What a journal holds for a key, on one line. */
export function describeRecorded(step: RecordedStep | undefined): string {
  if (step === undefined) return unrecorded;
  if (step === null || typeof step !== "object") return `read as ${String(step)}`;
  if (step.state === "begun") return begun;
  if (step.state === "ended") return `ended with ${shortenMiddle(String(step.json), maxShown)}`;
  return `read as ${JSON.stringify(step)}`;
}

/** What a journal holds for a key that must have ended with `json`: equal only if each character is. */
export function describeEnded(step: RecordedStep | undefined, json: string): string {
  if (step?.state !== "ended" || step.json === json) return describeRecorded(step);
  const found = String(step.json);
  let from = 0;
  while (from < json.length && json[from] === found[from]) from++;
  return `ended with another text of ${found.length} characters; from character ${from}: ${shortenMiddle(found.slice(from), maxShown)}`;
}

/** What must be read for a key on which nothing is recorded, and for a step that only began. */
export const unrecorded = "nothing recorded";
export const begun = "begun";

/** What must be read for a key: the text of a step that ended, or one of the two others. */
export const expectedReading = (recorded: string): string =>
  recorded === unrecorded || recorded === begun
    ? recorded
    : describeRecorded({ state: "ended", json: recorded });

/** What a reading gives, on one line. `recorded`: what must be read. */
export async function readingOf(
  reading: Promise<RecordedStep | undefined>,
  recorded: string = unrecorded,
): Promise<string> {
  try {
    const step = await reading;
    return recorded === unrecorded || recorded === begun
      ? describeRecorded(step)
      : describeEnded(step, recorded);
  } catch (thrown) {
    return describeRejection(thrown);
  }
}
