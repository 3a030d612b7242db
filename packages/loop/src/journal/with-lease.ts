import type { Message } from "@fullstop/core";
import { startTimer } from "@fullstop/core/adapter";
import {
  isJournalError,
  type Journal,
  JournalError,
  type JournalStep,
  type RunEnd,
  type RunLease,
} from "../contract/journal.ts";
import type { Outcome } from "../contract/outcome.ts";
import { abortCause, aborted, onAbort, unlessAborted } from "../util/abort.ts";
import { canonicalJson } from "../util/values.ts";
import { runKey, stepAt } from "./keys.ts";
import {
  type LeasedRun,
  type LoopLease,
  type ParsedStep,
  type RecordedRun,
  type StepResult,
  type StepWork,
  Unrecorded,
  unrecordedRun,
} from "./loop-lease.ts";
import { damagedStep, parseStep } from "./stored-steps.ts";

/** Only a run with a journal loads this file. Rejects with the reason if the lease is lost. */
export async function withLease(
  { journal, runId }: { readonly journal: Journal; readonly runId: string },
  signal: AbortSignal,
  work: (run: LeasedRun) => Promise<Outcome>,
): Promise<Outcome> {
  // A run that was aborted before it began has no effects.
  if (signal.aborted) return work(unrecordedRun(signal));
  let lease: LoopLease;
  try {
    lease = toLoopLease(await openRun(journal, runId, signal), signal);
  } catch (thrown) {
    if (signal.aborted) return work(unrecordedRun(signal));
    throw thrown;
  }
  const failed = new AbortController();
  const close = async (outcome: Outcome): Promise<void> => {
    lease.lost.throwIfAborted();
    await lease.close(endOf(outcome));
  };
  try {
    return await work({
      lease,
      signal: AbortSignal.any([signal, lease.lost, failed.signal]),
      close,
    });
  } catch (thrown) {
    const first = lease.lost.aborted ? lease.lost.reason : thrown;
    // Tools that still run end before another process may take the run.
    failed.abort(first);
    await lease.close().catch(() => undefined);
    throw first;
  }
}

/** A journal may not look at the signal. A lease that comes too late is given back. */
async function openRun(journal: Journal, runId: string, signal: AbortSignal): Promise<RunLease> {
  const opening = journal.open(runId, signal);
  try {
    return await unlessLate(opening, signal, `The run "${runId}" could not be opened`);
  } catch (thrown) {
    opening.then((late) => late.close()).catch(() => undefined);
    throw thrown;
  }
}

function toLoopLease(recorded: RunLease, signal: AbortSignal): LoopLease {
  const lease = endSoonAfterAbort(recorded, signal);
  return Object.assign(lease, {
    recorded: (step) => readStep(lease, step),
    step: (step, work) => recordStep(lease, step, work),
    keyPrefixOf: (run, messages) => startOfRun(lease, run, messages),
    endingWith: (other) => toLoopLease(lease, other),
  } satisfies Omit<LoopLease, keyof RunLease>);
}

const endOf = (outcome: Outcome): RunEnd =>
  outcome.status === "waiting"
    ? { status: outcome.status, calls: outcome.calls }
    : { status: outcome.status };

/** The id of a sub-agent is the key of its call, which is a step of its own. */
export async function startOfRun(
  lease: RunLease,
  { runId, isNested, mustBeRecorded }: RecordedRun,
  messages: readonly Message[],
): Promise<string> {
  const prefix = await keyPrefixOf(lease, { runId, isNested });
  const expected = await fingerprint(messages);
  const run = async (): Promise<string> => {
    if (!mustBeRecorded) return expected;
    throw new TypeError(
      `\`waiting\` has answers for a run "${runId}", and the journal holds no such run. Give the \`journal.store\` and the \`journal.runId\` of the run that waited.`,
    );
  };
  const step = stepAt(isNested ? "nestedRun" : "run", prefix);
  const { value } = await recordStep(lease, step, { run });
  if (value === expected) return prefix;
  throw new TypeError(
    isNested
      ? `The sub-agent of the call "${runId}" began with other messages. They must depend on the input of the call alone.`
      : `The journal holds a run "${runId}" that began with other messages. To continue it, give the same \`messages\` and \`prompt\`. For another run, use another \`journal.runId\`.`,
  );
}

/**
 * A slash of the id of a run is encoded in its keys: otherwise the call 1/1 of the run
 * "a/1/1" would have the key of a call of a sub-agent in the run "a". A run that an older release
 * began keeps its keys, because services know its calls by them. The id of a sub-agent is a key.
 */
async function keyPrefixOf(
  lease: RunLease,
  { runId, isNested }: Pick<RecordedRun, "runId" | "isNested">,
): Promise<string> {
  const encoded = runKey(runId);
  if (isNested || encoded === runId) return runId;
  return (await lease.read(runId)) === undefined ? encoded : runId;
}

async function fingerprint(messages: readonly Message[]): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(canonicalJson(messages)),
  );
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function readStep(lease: RunLease, step: JournalStep): Promise<ParsedStep | undefined> {
  const recorded = await lease.read(step.key);
  return recorded?.state === "ended"
    ? { state: "ended", value: parseStep(recorded.json, step) }
    : recorded;
}

export async function recordStep<T, U = never>(
  lease: RunLease,
  step: JournalStep,
  { run, tooLarge }: StepWork<T, U>,
): Promise<StepResult<T, U>> {
  const recorded = await readStep(lease, step);
  if (recorded?.state === "ended")
    return { isRecorded: true, value: recorded.value as T, replayed: true };
  if (recorded !== undefined)
    throw damagedStep(step.key, "is only its beginning, and only the steps of tools begin");
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

/** Milliseconds that a journal has for an operation after an abort. Most need a few. */
const graceMs = 2000;

/**
 * A lease whose operations end soon after an abort of the run, also if the journal hangs: they reject
 * with a `JournalError` of the kind `unavailable`. Whether a write was recorded is not known then, so
 * a call that had started is in doubt.
 */
export function endSoonAfterAbort(lease: RunLease, signal: AbortSignal): RunLease {
  const limit = <T>(what: string, operation: Promise<T>): Promise<T> =>
    unlessLate(operation, signal, what);
  const recording = ({ key }: JournalStep): string => `The step "${key}" could not be recorded`;
  return {
    get lost() {
      return lease.lost;
    },
    ...(lease.maxStepBytes !== undefined && { maxStepBytes: lease.maxStepBytes }),
    read: (key) => limit(`The step "${key}" could not be read`, lease.read(key)),
    begin: (step) => limit(recording(step), lease.begin(step)),
    end: (step, json) => limit(recording(step), lease.end(step, json)),
    close: (end) => limit("The end of the run could not be recorded", lease.close(end)),
  };
}

async function unlessLate<T>(work: Promise<T>, signal: AbortSignal, what: string): Promise<T> {
  const late = new AbortController();
  let stopTimer = (): void => {};
  const unsubscribe = onAbort(signal, () => {
    stopTimer = startTimer(graceMs, () => late.abort());
  });
  try {
    const result = await unlessAborted(work, late.signal);
    if (result !== aborted) return result;
    throw new JournalError(
      "unavailable",
      `${what} within ${graceMs / 1000} s after ${abortCause(signal)}. Start the run again: what was recorded counts.`,
      { cause: signal.reason },
    );
  } finally {
    unsubscribe();
    stopTimer();
  }
}
