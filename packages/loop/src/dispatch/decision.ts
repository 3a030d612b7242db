import type { EventBody } from "../contract/event.ts";
import type { Decision, ReviewedCall } from "../contract/ports.ts";
import type { Tool } from "../contract/tool.ts";
import { stepAt } from "../journal/keys.ts";
import { noLease } from "../journal/loop-lease.ts";
import { isObject, messageOf, tryCanonicalJson } from "../util/values.ts";
import type { DispatchContext, Question, RunPlan } from "./plan.ts";

/**
 * What a decision means for a call. `"unasked"`: it runs, and no one decided. `denied` follows
 * "was not run:"; `reason` is the reason without that context.
 */
type Ruling =
  | "run"
  | "unasked"
  | {
      readonly denied: string;
      readonly reason?: string;
      /** For the program: observers get it in place of the reason. */
      readonly advice?: string;
    };
export interface StoredRuling {
  readonly ruling: Ruling;
  /** What was approved or denied, as canonical JSON: the input, or the input and the revision. */
  readonly reviewed?: string | undefined;
}

/** Whether somebody may have to decide. A provider that asks about its own tool needs a person. */
export function mayNeedDecision(
  { tool }: Pick<RunPlan, "tool">,
  id: string,
  { config: { approve, answers } }: Pick<DispatchContext, "config">,
): boolean {
  if (tool === undefined || answers.decisions.has(id)) return true;
  return (tool.needsApproval ?? approve !== undefined) !== false;
}

/** A denial counts also if no one has to decide any more. So does what this release does not know. */
export const mayBeDenied = (stored: StoredRuling | undefined): boolean =>
  stored !== undefined && stored.ruling !== "run" && stored.ruling !== "unasked";

/** The decision that `waiting` has, or that of `approve`. Only an explicit yes is one. */
export async function findDecision(
  given: Decision | undefined,
  question: Question,
  context: DispatchContext,
): Promise<StoredRuling | undefined> {
  const counts = given !== undefined && (await isAboutRevision(question, context));
  const ruling = counts ? rulingOf(given, question.call) : await askApprove(question, context);
  if (ruling !== undefined) return { ruling, reviewed: reviewedText(question.call) };
  await recordAsked(question, context);
  return undefined;
}

async function askApprove(
  { plan: { tool }, call }: Question,
  { config: { approve, answers }, signal }: DispatchContext,
): Promise<Ruling | undefined> {
  const need = answers.decisions.has(call.id) ? true : tool?.needsApproval;
  if (typeof need === "function" && !(await isNeeded(need, call))) return "unasked";
  if (approve === undefined || signal.aborted) return undefined;
  try {
    return rulingOf(await approve(call, { signal, tool }), call);
  } catch (thrown) {
    return denial(`the request for approval failed (${messageOf(thrown)}).`);
  }
}

/** Only an explicit `false` means that the call may run without a decision. */
async function isNeeded(
  need: Exclude<Tool["needsApproval"], boolean | undefined>,
  { input }: ReviewedCall,
): Promise<boolean> {
  try {
    return (await need(input as never)) !== false;
  } catch {
    return true;
  }
}

/** Undefined if it is decided later. */
function rulingOf(decision: unknown, { input }: ReviewedCall): Ruling | undefined {
  if (decision === "later") return undefined;
  if (decision === true) return "run";
  if (decision === false) return { denied: "it was denied." };
  if (!isObject(decision)) return denial("the decision about it is not valid.");
  const { deny: reason, allow: allowed } = decision;
  if (typeof reason === "string") return { denied: `it was denied: ${reason}`, reason };
  if (!isObject(allowed)) return denial("the decision about it is not valid.");
  return isSameJson(allowed, input) ? "run" : { ...denial(otherInput), advice: editedInput };
}
const denial = (reason: string): { readonly denied: string; readonly reason: string } => ({
  denied: reason,
  reason,
});

const otherInput =
  "the program allowed it only with another input, which you did not write. That input did not run either. Do not repeat the call unchanged.";
const editedInput =
  "`{ allow }` has another input than the call. Only the input that the model wrote can run: answer `{ deny }`, and say what the model should change.";

function isSameJson(one: unknown, other: unknown): boolean {
  const text = tryCanonicalJson(one);
  return text !== undefined && text === tryCanonicalJson(other);
}

const reviewedText = ({ input, revision }: ReviewedCall): string | undefined =>
  tryCanonicalJson(revision === undefined ? input : { input, revision });

/** It was decided about another input or revision, or this release does not know the ruling. */
export const isStale = ({ ruling, reviewed }: StoredRuling, call: ReviewedCall): boolean =>
  !isKnown(ruling) || reviewed === undefined || reviewed !== reviewedText(call);

/** A journal may be damaged, or a later release may have written it. */
const isKnown = (ruling: unknown): boolean =>
  ruling === "run" || ruling === "unasked" || (isObject(ruling) && "denied" in ruling);

async function recordAsked(
  { plan: { key }, call: { revision } }: Question,
  { lease }: DispatchContext,
): Promise<void> {
  if (revision !== undefined)
    await lease.step(stepAt("asked", key, revision), { run: async () => ({ revision }) });
}

/** Asked for with this revision of the tool. Without a journal that is unknown, and it counts. */
const isAboutRevision = async (
  { plan: { key }, call: { revision } }: Question,
  { lease }: DispatchContext,
): Promise<boolean> =>
  revision === undefined ||
  lease === noLease ||
  (await lease.read(stepAt("asked", key, revision).key)) !== undefined;

export function decisionEvent(
  call: ReviewedCall,
  stored: StoredRuling | undefined,
): Extract<EventBody, { readonly type: "approval" }> | undefined {
  if (stored === undefined) return { type: "approval", call, decision: "later" };
  const { ruling } = stored;
  if (ruling === "unasked" || !isKnown(ruling)) return undefined;
  if (ruling === "run") return { type: "approval", call, decision: "allowed" };
  const reason = ruling.advice ?? ruling.reason;
  return { type: "approval", call, decision: "denied", ...(reason !== undefined && { reason }) };
}
