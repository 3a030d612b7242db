import type { Message } from "@fullstop/core";
import type { RunLease } from "../contract/journal.ts";
import { canonicalJson } from "../util/canonical-json.ts";
import { runKey, stepAt } from "./keys.ts";
import type { RecordedRun } from "./loop-lease.ts";
import { recordStep } from "./record-step.ts";

/**
 * The beginning of all keys of a run. Throws if the journal holds a run with this id that began with
 * other messages, or no run that waits for the answers that are given. The id of a sub-agent is the
 * key of its call, which is a step of its own.
 */
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
