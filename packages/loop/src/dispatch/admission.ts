import { isToolCall, type ToolCall } from "@fullstop/core";
import { validateInput } from "@fullstop/core/adapter";
import type { ReviewedCall } from "../config/ports.ts";
import type { RunConfig } from "../config/run-config.ts";
import { listTools } from "../config/tool.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { abortCause } from "../util/deadline.ts";
import { type Ruling, requestRuling, toReviewedCall, toRuling } from "./approval.ts";
import type { AdmittedCall } from "./execution.ts";
import { approvalDenied, approvalGiven, isApprovalRequest } from "./native-tools.ts";
import { errorOutcome, type ToolOutcome } from "./output.ts";

export interface AdmissionContext {
  readonly config: RunConfig;
  readonly signal: AbortSignal;
  /** `<run>/<turn>` */
  readonly key: string;
  /** Calls that must not run, each with the reason for the model. */
  readonly declined: ReadonlyMap<ToolCall, string>;
}
/** A call that gets a result without a tool. */
interface AnsweredCall {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
}
/** The provider asks whether it may run one of its own tools. */
interface ApprovalRequest {
  readonly call: ToolCall;
  readonly isApprovalRequest: true;
}
/** A call that somebody decides about later. */
interface PostponedCall {
  readonly later: ReviewedCall;
}
/** A call that runs, or that gets a result without a tool. */
export type Admission = AdmittedCall | AnsweredCall;
/** Somebody decides about these calls later. No call of the turn runs until then. */
export interface Postponement {
  readonly later: readonly ReviewedCall[];
}

/**
 * Decides about all calls of a turn, one after the other, before the first of them starts: they are
 * one plan.
 */
export async function admitCalls(
  calls: readonly ToolCall[],
  context: AdmissionContext,
): Promise<readonly Admission[] | Postponement> {
  const checked = await Promise.all(calls.map((call) => checkCall(call, context)));
  const admitted: Admission[] = [];
  const later: ReviewedCall[] = [];
  for (const [position, one] of checked.entries()) {
    const key = `${context.key}/${position + 1}`;
    const decided = "outcome" in one ? one : await decideCall(one, { ...context, key });
    if ("later" in decided) later.push(decided.later);
    else admitted.push(decided);
  }
  const { signal } = context;
  if (signal.aborted)
    return checked.map((one) => ("outcome" in one ? one : neverStarted(one.call, signal)));
  return later.length > 0 ? { later } : admitted;
}

const notRun = (call: ToolCall, reason: string): AnsweredCall => ({
  call,
  outcome: errorOutcome(`${call.name} was not run: ${reason}`),
});
export const neverStarted = (call: ToolCall, signal: AbortSignal): AnsweredCall =>
  notRun(call, `${abortCause(signal)} before it started.`);

/** Only the objects that the gate issued are calls: a copy does not run. */
async function checkCall(
  call: ToolCall,
  { config: { tools }, signal, declined }: AdmissionContext,
): Promise<AdmittedCall | ApprovalRequest | AnsweredCall> {
  const reason = declined.get(call);
  if (!isToolCall(call)) return notRun(call, "the gate did not issue this call.");
  if (reason !== undefined) return notRun(call, reason);
  if (signal.aborted) return neverStarted(call, signal);
  if (isApprovalRequest(call, tools)) return { call, isApprovalRequest: true };
  const tool = tools.get(call.name);
  if (tool === undefined)
    return {
      call,
      outcome: errorOutcome(`No tool is named "${call.name}". ${listTools(tools)}`),
    };
  const verdict = await unlessAborted(validateInput(tool.inputSchema, call.input), signal);
  if (verdict === aborted) return neverStarted(call, signal);
  if ("value" in verdict) return { call, tool, input: verdict.value };
  const issues = verdict.issues.join("\n- ");
  return notRun(call, `its input is not valid. Correct the input and call it again.\n- ${issues}`);
}

async function decideCall(
  one: AdmittedCall | ApprovalRequest,
  context: AdmissionContext,
): Promise<Admission | PostponedCall> {
  const { call } = one;
  const isRequest = "isApprovalRequest" in one;
  const reviewed = toReviewedCall(call, isRequest ? call.input : one.input);
  const decision = context.config.resumed?.decisions.get(call.id);
  const ruling =
    decision === undefined
      ? await rulingFor(reviewed, context, isRequest ? "later" : "run")
      : toRuling(decision, reviewed);
  if (ruling === "later") return { later: reviewed };
  if (ruling === aborted) return neverStarted(call, context.signal);
  if (isRequest)
    return {
      call,
      outcome: ruling === "run" ? approvalGiven : approvalDenied(ruling.reason ?? ""),
    };
  return ruling === "run" ? one : notRun(call, ruling.denied);
}

/** Without `approve` tools run, but a request of the provider needs a person. */
async function rulingFor(
  call: ReviewedCall,
  { config: { approve, journal }, signal, key }: AdmissionContext,
  withoutApprove: Ruling,
): Promise<Ruling> {
  if (signal.aborted) return aborted;
  return approve === undefined
    ? withoutApprove
    : requestRuling(call, approve, { journal, key, signal });
}
