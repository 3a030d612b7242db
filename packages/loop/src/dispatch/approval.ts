import type { ToolCall } from "@fullstop/core";
import type { EventBody } from "../contract/event.ts";
import type { Approve, ReviewedCall } from "../contract/ports.ts";
import type { Tool } from "../contract/tool.ts";
import type { LoopLease } from "../journal/loop-lease.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { tryCanonicalJson } from "../util/canonical-json.ts";
import { isObject, messageOf } from "../util/values.ts";
import type { DispatchContext } from "./context.ts";

type CallPosition = Pick<DispatchContext, "key" | "namesCallsByKey">;

/** The id of a call in `ReviewedCall`. */
export const reviewedId = ({ id }: ToolCall, { key, namesCallsByKey }: CallPosition): string =>
  namesCallsByKey ? key : id;

/** A plain copy of a call for `approve`, with the validated input. `id` is unique in the run. */
export const toReviewedCall = (
  {
    call,
    input,
    needs,
    revision,
  }: Pick<ReviewedCall, "needs"> & {
    readonly call: ToolCall;
    readonly input: unknown;
    readonly revision?: string | undefined;
  },
  position: CallPosition,
): ReviewedCall =>
  Object.freeze({
    id: reviewedId(call, position),
    name: call.name,
    input: input as ReviewedCall["input"],
    ...(call.by && { by: call.by }),
    needs,
    ...(revision !== undefined && { revision }),
  });

/**
 * What a decision means for a call. `"unasked"`: it runs, and nothing was decided. `denied` follows
 * "was not run:"; `reason` is the reason without that context.
 */
export type Ruling =
  | "run"
  | "unasked"
  | "later"
  | typeof aborted
  | { readonly denied: string; readonly reason?: string };

/** A call that must be decided on, and by whom. */
export interface ApprovalRequest {
  readonly call: ReviewedCall;
  /** Undefined if the provider asks about one of its own tools. */
  readonly tool: Tool | undefined;
  readonly approve: Approve | undefined;
}
interface ApprovalStep {
  readonly lease: LoopLease;
  /** `<run>/<turn>/<position>` */
  readonly key: string;
  readonly signal: AbortSignal;
}
export interface ReportedRuling {
  readonly ruling: Ruling;
  /** It comes from the journal. */
  readonly replayed?: true;
}
/** As a journal stores it. */
interface StoredRuling {
  readonly ruling: Ruling;
  /** What was approved or denied, as canonical JSON: the input, or the input and the revision. */
  readonly reviewed: string;
}

/** A request of the provider needs a person. Without `approve` other calls run. */
const needOf = ({ tool, approve }: ApprovalRequest): Tool["needsApproval"] =>
  tool === undefined ? true : (tool.needsApproval ?? approve !== undefined);

/**
 * Asks once per run. A journaled decision is reused if the input and the revision of the tool are
 * unchanged. Anything but an explicit yes is a denial.
 */
export async function requestRuling(
  request: ApprovalRequest,
  { lease, key, signal }: ApprovalStep,
): Promise<ReportedRuling> {
  const need = needOf(request);
  if (signal.aborted) return { ruling: aborted };
  if (need === false) return { ruling: "unasked" };
  const ask = (): Promise<Ruling> => askForRuling(request, need, signal);
  const reviewed = reviewedText(request.call);
  if (reviewed === undefined) return { ruling: await ask() };
  const run = async (): Promise<StoredRuling> => ({ ruling: await ask(), reviewed });
  const isTransient = ({ ruling }: StoredRuling): boolean =>
    ruling === "later" || ruling === aborted;
  const { value: stored, replayed } = await lease.step(
    { key: `${key}/approval`, kind: "approval" },
    { run, isTransient },
  );
  if (stored?.reviewed !== reviewed) return { ruling: await ask() };
  return { ruling: stored.ruling, ...(replayed && { replayed }) };
}

const reviewedText = ({ input, revision }: ReviewedCall): string | undefined =>
  tryCanonicalJson(revision === undefined ? input : { input, revision });

/** The recorded decision about a call that has ended: it is not asked about any more. */
export async function readRuling({
  lease,
  key,
}: Pick<ApprovalStep, "lease" | "key">): Promise<ReportedRuling> {
  const recorded = await lease.read(`${key}/approval`);
  if (recorded?.state !== "ended") return { ruling: "unasked" };
  const { ruling } = JSON.parse(recorded.json) as StoredRuling;
  return { ruling, replayed: true };
}

async function askForRuling(
  { call, tool, approve }: ApprovalRequest,
  need: Tool["needsApproval"],
  signal: AbortSignal,
): Promise<Ruling> {
  const isNeeded =
    typeof need === "function" ? await unlessAborted(isApprovalNeeded(need, call), signal) : true;
  if (isNeeded === aborted) return aborted;
  if (!isNeeded) return "unasked";
  if (approve === undefined) return "later";
  try {
    const decision = await unlessAborted((async () => approve(call, { signal, tool }))(), signal);
    return decision === aborted ? aborted : toRuling(decision, call);
  } catch (thrown) {
    return deny(`the request for approval failed (${messageOf(thrown)}).`);
  }
}

/** Only an explicit `false` means that the call may run without a decision. */
async function isApprovalNeeded(
  need: Exclude<Tool["needsApproval"], boolean | undefined>,
  { input }: ReviewedCall,
): Promise<boolean> {
  try {
    return (await need(input as never)) !== false;
  } catch {
    return true;
  }
}

type ApprovalEvent = Extract<EventBody, { readonly type: "approval" }>;

/** Undefined if nothing was decided. */
export function approvalEvent(
  call: ReviewedCall,
  { ruling, replayed }: ReportedRuling,
): ApprovalEvent | undefined {
  const mark = replayed && ({ replayed } as const);
  if (ruling === aborted || ruling === "unasked") return undefined;
  if (ruling === "later") return { type: "approval", call, decision: "later", ...mark };
  if (ruling === "run") return { type: "approval", call, decision: "allowed", ...mark };
  const { reason } = ruling;
  const detail = reason !== undefined && { reason };
  return { type: "approval", call, decision: "denied", ...detail, ...mark };
}

/** Reads a decision about this call. */
function toRuling(decision: unknown, { input }: ReviewedCall): Ruling {
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
