import type { Message } from "@fullstop/core";
import { canonical } from "./canonical.ts";

/** One thing that a run does once: a reply, or a call. */
export interface Step {
  /** `<run>/<turn>/model`, `<run>/<turn>/<position>`; never a provider's id. */
  readonly key: string;
  readonly kind: "run" | "model" | "tool" | "approval" | "steering" | "compaction";
}
/** Records that a step has effects from here on. */
export type Begin = () => Promise<void>;
/** Remembers the steps of a run, so that one which was killed goes on without repeating what it finished. */
export interface Journal {
  /**
   * What the step gave, where its end is recorded. Where only its beginning is, `inDoubt` says what becomes of it.
   * Else it runs, and what it gives (plain JSON) is recorded before anybody gets it. `begin` is recorded before it resolves.
   * What `run` throws is thrown as it is, and no end is recorded.
   */
  step<T>(step: Step, run: (begin: Begin) => Promise<T>, inDoubt: () => T): Promise<T>;
}

/** Remembers nothing. */
const inProcess: Journal = { step: (_, run) => run(async () => {}) };

/** Throws if nothing that is remembered could be found again. */
export function memoryOf(
  journal: Journal | undefined,
  runId: string | undefined,
): { readonly journal: Journal; readonly runId: string } {
  if (journal && !runId)
    throw new TypeError(
      "`journal` needs a `runId`: without a stable id a killed run cannot be resumed.",
    );
  return { journal: journal ?? inProcess, runId: runId || crypto.randomUUID() };
}

/** How a step is done, and when what it gave is not to be found again. */
export interface Work<T> {
  readonly run: (begin: Begin) => Promise<T>;
  readonly passing: (value: T) => boolean;
  /** Without it, a step that has no effects. */
  readonly inDoubt?: () => T;
}
const passed: unique symbol = Symbol("passed");

/** A step of which the journal keeps nothing where its result is a passing one, as an abort: a resumed run does it anew. */
export async function stepIn<T>(
  journal: Journal,
  step: Step,
  { run, passing, inDoubt = noEffects }: Work<T>,
): Promise<T> {
  let value: { readonly of: T } | undefined;
  const work = async (begin: Begin): Promise<T> => {
    value = { of: await run(begin) };
    if (passing(value.of)) throw passed;
    return value.of;
  };
  try {
    return await journal.step(step, work, inDoubt);
  } catch (thrown) {
    if (thrown === passed && value !== undefined) return value.of;
    throw thrown;
  }
}
const noEffects = (): never => {
  throw new TypeError(
    "The journal says that a step is in doubt which has no effects. A step is in doubt only after its `begin`.",
  );
};

/** Makes sure that what the journal remembers under this id is a run that began with these messages. */
export async function recognise(
  journal: Journal,
  runId: string,
  messages: readonly Message[],
): Promise<void> {
  if (journal === inProcess) return;
  const mine = await fingerprint(messages);
  const found = await stepIn(
    journal,
    { key: runId, kind: "run" },
    { run: async () => mine, passing: () => false },
  );
  if (found !== mine)
    throw new TypeError(
      `The journal holds a run "${runId}" that began with other messages. Give this one another \`runId\`.`,
    );
}

async function fingerprint(messages: readonly Message[]): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(canonical(messages)),
  );
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
