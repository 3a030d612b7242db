import type { ReviewedCall, Settlement } from "@fullstop/loop";
import type { StoredRun } from "@fullstop/loop/journal";
import type { Answers } from "./engines/engine.ts";
import { findRun } from "./find-run.ts";
import type { Setup } from "./setup.ts";

/** What a person says about a call. */
export type CallAnswer =
  | { readonly kind: "approve" }
  | { readonly kind: "deny"; readonly reason: string | undefined }
  | { readonly kind: "settle"; readonly settlement: Exclude<Settlement, "later"> };

interface GivenAnswer {
  readonly runId: string;
  readonly callId: string;
  readonly given: CallAnswer;
}

/**
 * Puts a run that waits for this call into the queue, with the answer.
 * @throws Error if it does not wait for it.
 */
export async function answerCall(
  { runId, callId, given }: GivenAnswer,
  { journal, engine }: Setup,
): Promise<void> {
  const call = findCall(await findRun(journal, runId), { runId, callId });
  await engine.answer(runId, answersFor(call, given));
  process.stdout.write(
    `The answer is in the queue. The next free worker continues "${runId}" with it.\n`,
  );
}

function findCall(
  found: StoredRun | undefined,
  { runId, callId }: Pick<GivenAnswer, "runId" | "callId">,
): ReviewedCall {
  if (found === undefined)
    throw new Error(`The run "${runId}" does not exist. \`runs\` lists all runs.`);
  if (found.status !== "waiting" || found.calls === undefined)
    throw new Error(`The run "${runId}" does not wait: it is "${found.status}".`);
  const call = found.calls.find(({ id }) => id === callId);
  if (call !== undefined) return call;
  const ids = found.calls.map(({ id }) => `"${id}"`).join(", ");
  throw new Error(`The run "${runId}" does not wait for the call "${callId}", but for ${ids}.`);
}

function answersFor({ id, name, input, needs }: ReviewedCall, given: CallAnswer): Answers {
  const isSettled = given.kind === "settle";
  if (isSettled !== (needs === "settlement"))
    throw new Error(
      isSettled
        ? `The call "${id}" (${name}) has not started. Use \`approve\` or \`deny\`.`
        : `The call "${id}" (${name}) had started, and its result is not known. Find out what it did, and use \`settle\`.`,
    );
  if (given.kind === "settle") return { settlements: { [id]: given.settlement } };
  if (given.kind === "approve") return { decisions: { [id]: { allow: input } } };
  const { reason } = given;
  return { decisions: { [id]: reason === undefined ? false : { deny: reason } } };
}
