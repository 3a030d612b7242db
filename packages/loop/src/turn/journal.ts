import type { Message } from "@fullstop/core";
import { noJournal } from "../config/parse-journal.ts";
import type { BeginStep, Journal, JournalStep } from "../config/ports.ts";
import { canonicalJson } from "../util/canonical-json.ts";

/** How a step runs, and which of its results are not recorded. */
export interface StepWork<T> {
  readonly run: (begin: BeginStep) => Promise<T>;
  /**
   * A transient result, such as an abort, is not recorded, so that a resumed run repeats the step.
   */
  readonly isTransient: (value: T) => boolean;
  /** The result of a step whose end is not recorded. Not needed by a step without side effects. */
  readonly inDoubt?: () => T;
}
const transient: unique symbol = Symbol("transient");

/**
 * Runs a step, but records no transient result (such as an abort), so that a resumed run repeats
 * it.
 */
export async function journaled<T>(
  journal: Journal,
  step: JournalStep,
  { run, isTransient, inDoubt = assertNotInDoubt }: StepWork<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  const work = async (begin: BeginStep): Promise<T> => {
    result = { value: await run(begin) };
    if (isTransient(result.value)) throw transient;
    return result.value;
  };
  try {
    return await journal.step(step, work, inDoubt);
  } catch (thrown) {
    if (thrown === transient && result !== undefined) return result.value;
    throw thrown;
  }
}
const assertNotInDoubt = (): never => {
  throw new TypeError(
    "The journal called `inDoubt` for a step without side effects. A step is in doubt only after its `begin`.",
  );
};

/** Throws if the journal holds a run with this id that began with other messages. */
export async function assertSameRun(
  journal: Journal,
  runId: string,
  messages: readonly Message[],
): Promise<void> {
  if (journal === noJournal) return;
  const expected = await fingerprint(messages);
  const recorded = await journaled(
    journal,
    { key: runId, kind: "run" },
    { run: async () => expected, isTransient: () => false },
  );
  if (recorded !== expected)
    throw new TypeError(
      `The journal holds a run "${runId}" that began with other messages. Use another \`journal.runId\`.`,
    );
}

async function fingerprint(messages: readonly Message[]): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(canonicalJson(messages)),
  );
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
