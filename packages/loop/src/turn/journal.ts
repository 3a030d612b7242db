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

/**
 * Throws if the journal holds a run with this id that began with other messages. The id of a
 * sub-agent is the key of its call, which is a step of its own.
 */
export async function assertSameRun(
  journal: Journal,
  { runId, isNested }: { readonly runId: string; readonly isNested: boolean },
  messages: readonly Message[],
): Promise<void> {
  if (journal === noJournal) return;
  const expected = await fingerprint(messages);
  const recorded = await journaled(
    journal,
    { key: isNested ? `${runId}/run` : runId, kind: "run" },
    { run: async () => expected, isTransient: () => false },
  );
  if (recorded === expected) return;
  throw new TypeError(
    isNested
      ? `The sub-agent of the call "${runId}" began with other messages. They must depend on the input of the call alone.`
      : `The journal holds a run "${runId}" that began with other messages. Use another \`journal.runId\`.`,
  );
}

/** Remembers that sub-agents of the turn with this key wait. */
export async function recordWaiting(journal: Journal, key: string): Promise<void> {
  await journaled(
    journal,
    { key: `${key}/waiting`, kind: "run" },
    { run: async () => true, isTransient: () => false },
  );
}

/** Throws if the journal does not hold the steps of this turn: its calls would run again. */
export async function assertWaited(journal: Journal, key: string): Promise<void> {
  await journaled(
    journal,
    { key: `${key}/waiting`, kind: "run" },
    {
      run: async () => {
        throw new TypeError(
          `\`journal.store\` does not hold the turn "${key}", in which sub-agents wait. Use the journal of the run that waited.`,
        );
      },
      isTransient: () => false,
    },
  );
}

async function fingerprint(messages: readonly Message[]): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(canonicalJson(messages)),
  );
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
