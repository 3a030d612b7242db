import type { Message } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { JournalStep, RunLease } from "../journal/journal.ts";
import { isJournalError, JournalError } from "../journal/journal-error.ts";
import { noLease } from "../journal/no-lease.ts";
import { canonicalJson } from "../util/canonical-json.ts";

/** How a step runs, and which of its results are not recorded. */
export interface StepWork<T> {
  /** Calls `begin` before it has side effects. */
  readonly run: (begin: () => Promise<void>) => Promise<T>;
  /**
   * A transient result, such as an abort, is not recorded, so that a resumed run repeats the step.
   * A step that has begun is in doubt then.
   */
  readonly isTransient: (value: T) => boolean;
  /** The result of a step whose end is not recorded. Not needed by a step without side effects. */
  readonly inDoubt?: () => T | Promise<T>;
  /** Replaces a result that is larger than the journal takes. */
  readonly tooLarge?: (value: T) => T;
}

/** Runs a step, unless its result is recorded, and records the result. */
export async function journaled<T>(
  lease: RunLease,
  step: JournalStep,
  { run, isTransient, inDoubt = assertNotInDoubt, tooLarge }: StepWork<T>,
): Promise<T> {
  const recorded = await lease.read(step.key);
  if (recorded?.state === "ended") return parseStep(recorded.json, step) as T;
  if (recorded !== undefined) return inDoubt();
  const value = await run(() => lease.begin(step));
  if (isTransient(value) || lease === noLease) return value;
  try {
    await lease.end(step, toJson(value, step));
    return value;
  } catch (thrown) {
    if (tooLarge === undefined || !isJournalError(thrown, "too-large")) throw thrown;
    const smaller = tooLarge(value);
    await lease.end(step, toJson(smaller, step));
    return smaller;
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

const assertNotInDoubt = (): never => {
  throw new TypeError(
    "The journal has a beginning of a step without side effects. Only the steps of tools begin.",
  );
};

/**
 * The beginning of all keys of a run. A slash of its id is encoded: otherwise the call 1/1 of the run
 * "a/1/1" would have the key of a call of a sub-agent in the run "a". A run that an older release
 * began keeps its keys, because services know its calls by them. The id of a sub-agent is a key.
 */
export async function keyPrefixOf(
  lease: RunLease,
  { runId, isNested }: Pick<RunConfig, "runId" | "isNested">,
): Promise<string> {
  const encoded = runId.replaceAll("%", "%25").replaceAll("/", "%2F");
  if (isNested || encoded === runId) return runId;
  return (await lease.read(runId)) === undefined ? encoded : runId;
}

interface RecordedRun extends Pick<RunConfig, "runId" | "isNested" | "mustBeRecorded"> {
  readonly keyPrefix: string;
}

/**
 * Throws if the journal holds a run with this id that began with other messages, or no run that
 * waits for the answers that are given. The id of a sub-agent is the key of its call, which is a
 * step of its own.
 */
export async function assertSameRun(
  lease: RunLease,
  { runId, keyPrefix, isNested, mustBeRecorded }: RecordedRun,
  messages: readonly Message[],
): Promise<void> {
  if (lease === noLease) return;
  const expected = await fingerprint(messages);
  const run = async (): Promise<string> => {
    if (!mustBeRecorded) return expected;
    throw new TypeError(
      `\`waiting\` has answers for a run "${runId}", and the journal holds no such run. Give the \`journal.store\` and the \`journal.runId\` of the run that waited.`,
    );
  };
  const key = isNested ? `${keyPrefix}/run` : keyPrefix;
  const recorded = await journaled(lease, { key, kind: "run" }, { run, isTransient: () => false });
  if (recorded === expected) return;
  throw new TypeError(
    isNested
      ? `The sub-agent of the call "${runId}" began with other messages. They must depend on the input of the call alone.`
      : `The journal holds a run "${runId}" that began with other messages. To continue it, give the same \`messages\` and \`prompt\`. For another run, use another \`journal.runId\`.`,
  );
}

async function fingerprint(messages: readonly Message[]): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(canonicalJson(messages)),
  );
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
