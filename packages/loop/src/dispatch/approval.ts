import type { ToolCall } from "@fullstop/core";
import type { Approve, Journal, ReviewedCall } from "../config/ports.ts";
import { journaled } from "../turn/journal.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { tryCanonicalJson } from "../util/canonical-json.ts";
import { isObject, messageOf } from "../util/values.ts";

/** A plain copy of a call for `approve`, with the validated input. */
export const toReviewedCall = ({ id, name, by }: ToolCall, input: unknown): ReviewedCall =>
  Object.freeze({
    id,
    name,
    input: input as ReviewedCall["input"],
    ...(by && { by }),
    needs: "decision",
  });

/**
 * What a decision means for a call. `denied` follows "was not run:"; `reason` is the reason without
 * that context.
 */
export type Ruling =
  | "run"
  | "later"
  | typeof aborted
  | { readonly denied: string; readonly reason?: string };

interface ApprovalStep {
  readonly journal: Journal;
  readonly key: string;
  readonly signal: AbortSignal;
}
/** As a journal stores it. */
interface StoredRuling {
  readonly ruling: Ruling;
  /** The input that was approved or denied, as canonical JSON. */
  readonly reviewed: string;
}

/**
 * Asks once per run. A journaled decision is reused if the input is unchanged. Anything but an
 * explicit yes is a denial.
 */
export async function requestRuling(
  call: ReviewedCall,
  approve: Approve,
  { journal, key, signal }: ApprovalStep,
): Promise<Ruling> {
  const input = tryCanonicalJson(call.input);
  if (input === undefined) return callApprove(approve, call, signal);
  const run = async (): Promise<StoredRuling> => ({
    ruling: await callApprove(approve, call, signal),
    reviewed: input,
  });
  const isTransient = ({ ruling }: StoredRuling): boolean =>
    ruling === "later" || ruling === aborted;
  const stored = await journaled(
    journal,
    { key: `${key}/approval`, kind: "approval" },
    { run, isTransient },
  );
  return stored?.reviewed === input ? stored.ruling : callApprove(approve, call, signal);
}

async function callApprove(
  approve: Approve,
  call: ReviewedCall,
  signal: AbortSignal,
): Promise<Ruling> {
  try {
    const decision = await unlessAborted(
      (async () => approve(call, { signal, tool: undefined }))(),
      signal,
    );
    return decision === aborted ? aborted : toRuling(decision, call);
  } catch (thrown) {
    return deny(`the request for approval failed (${messageOf(thrown)}).`);
  }
}

/** Reads a decision about this call. */
export function toRuling(decision: unknown, { input }: ReviewedCall): Ruling {
  if (decision === true) return "run";
  if (decision === "later") return "later";
  if (decision === false) return { denied: "it was denied." };
  if (!isObject(decision)) return deny("the decision about it is not valid.");
  const { deny: reason, allow: allowed } = decision;
  if (typeof reason === "string") return { denied: `it was denied: ${reason}`, reason };
  if (!isObject(allowed)) return deny("the decision about it is not valid.");
  return isSameJson(allowed, input) ? "run" : deny("it was allowed with a different input.");
}
const deny = (reason: string): Ruling => ({ denied: reason, reason });

function isSameJson(one: unknown, other: unknown): boolean {
  const text = tryCanonicalJson(one);
  return text !== undefined && text === tryCanonicalJson(other);
}
