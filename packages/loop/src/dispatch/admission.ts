import { isToolCall, type ToolCall } from "@fullstop/core";
import { validateInput } from "@fullstop/core/adapter";
import type { ReviewedCall } from "../config/ports.ts";
import { listTools, runsElsewhere, type Tool } from "../config/tool.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { abortCause } from "../util/deadline.ts";
import {
  type ApprovalRequest,
  approvalEvent,
  type Ruling,
  requestRuling,
  toReviewedCall,
} from "./approval.ts";
import type { DispatchContext } from "./context.ts";
import type { AdmittedCall } from "./execution.ts";
import { approvalDenied, approvalGiven, isApprovalRequest } from "./native-tools.ts";
import { type CallOutcome, errorOutcome } from "./output.ts";
import { outsideResult } from "./outside-result.ts";

/** A call that gets a result without a tool of this program. */
interface AnsweredCall {
  readonly call: ToolCall;
  readonly outcome: CallOutcome;
  /** The journal holds it already: since now, or since an earlier run. */
  readonly recorded?: "now" | "earlier";
}
/** The provider asks whether it may run one of its own tools. */
interface ProviderRequest {
  readonly call: ToolCall;
  readonly isApprovalRequest: true;
}
/** A call that needs a decision or a result from outside. */
interface PostponedCall {
  readonly later: ReviewedCall;
}
/** A call that runs, or that gets a result without a tool. */
export type Admission = AdmittedCall | AnsweredCall;
/** These calls need a decision, a result or a settlement. No call of the turn has run, unless … */
export interface Postponement {
  readonly later: readonly ReviewedCall[];
  /** … they were found while the calls ran: in sub-agents, or because a call is in doubt. */
  readonly hasRunOthers?: boolean;
}

/**
 * Decides about all calls of a turn, one after the other, before the first of them starts: they are
 * one plan.
 */
export async function admitCalls(
  calls: readonly ToolCall[],
  context: DispatchContext,
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

const answer = (call: ToolCall, content: string): AnsweredCall => ({
  call,
  outcome: { ...errorOutcome(content), ran: false },
});
const notRun = (call: ToolCall, reason: string): AnsweredCall =>
  answer(call, `${call.name} was not run: ${reason}`);
export const neverStarted = (call: ToolCall, signal: AbortSignal): AnsweredCall =>
  notRun(call, `${abortCause(signal)} before it started.`);

/** Only the objects that the gate issued are calls: a copy does not run. */
async function checkCall(
  call: ToolCall,
  { config: { tools }, signal, declined }: DispatchContext,
): Promise<AdmittedCall | ProviderRequest | AnsweredCall> {
  const reason = declined.get(call);
  if (!isToolCall(call)) return notRun(call, "the gate did not issue this call.");
  if (reason !== undefined) return notRun(call, reason);
  if (signal.aborted) return neverStarted(call, signal);
  if (isApprovalRequest(call, tools)) return { call, isApprovalRequest: true };
  const tool = tools.get(call.name);
  if (tool === undefined)
    return answer(call, `No tool is named "${call.name}". ${listTools(tools)}`);
  const verdict = await unlessAborted(validateInput(tool.inputSchema, call.input), signal);
  if (verdict === aborted) return neverStarted(call, signal);
  if ("value" in verdict) return { call, tool, input: verdict.value };
  const issues = verdict.issues.join("\n- ");
  return notRun(call, `its input is not valid. Correct the input and call it again.\n- ${issues}`);
}

const decideCall = (
  one: AdmittedCall | ProviderRequest,
  context: DispatchContext,
): Promise<Admission | PostponedCall> => {
  if ("isApprovalRequest" in one) return decideForProvider(one.call, context);
  return runsElsewhere(one.tool) ? decideOutside(one, context) : decideHere(one, context);
};

async function decideHere(
  one: AdmittedCall,
  context: DispatchContext,
): Promise<Admission | PostponedCall> {
  const { call, tool, input } = one;
  const reviewed = toReviewedCall({ call, input, needs: "decision" }, context);
  const ruling = await rulingFor(reviewed, tool, context);
  if (ruling === aborted) return neverStarted(call, context.signal);
  if (ruling === "later") return { later: reviewed };
  return typeof ruling === "object" ? notRun(call, ruling.denied) : one;
}

/** A call of a tool without `execute`. Its result is a decision, too. */
async function decideOutside(
  { call, tool, input }: AdmittedCall,
  context: DispatchContext,
): Promise<Admission | PostponedCall> {
  const result = await outsideResult(call, context);
  if (result !== undefined) return { call, ...result };
  const reviewed = toReviewedCall({ call, input, needs: "result" }, context);
  const ruling = await rulingFor(reviewed, tool, context);
  if (ruling === aborted) return neverStarted(call, context.signal);
  return typeof ruling === "object" ? notRun(call, ruling.denied) : { later: reviewed };
}

/** The provider gets the decision as the result of the call. */
async function decideForProvider(
  call: ToolCall,
  context: DispatchContext,
): Promise<Admission | PostponedCall> {
  const reviewed = toReviewedCall({ call, input: call.input, needs: "decision" }, context);
  const ruling = await rulingFor(reviewed, undefined, context);
  if (ruling === aborted) return neverStarted(call, context.signal);
  if (ruling === "later") return { later: reviewed };
  const outcome = typeof ruling === "object" ? approvalDenied(ruling.reason ?? "") : approvalGiven;
  return { call, outcome: { ...outcome, ran: false } };
}

async function rulingFor(
  reviewed: ReviewedCall,
  tool: Tool | undefined,
  context: DispatchContext,
): Promise<Ruling> {
  const reported = await requestRuling(approvalRequest(reviewed, tool, context), context);
  const event = approvalEvent(reviewed, reported);
  if (event !== undefined) context.emit(event);
  return reported.ruling;
}

/** A decision that `waiting` has counts, and `approve` is not asked then. It is recorded like one. */
function approvalRequest(
  call: ReviewedCall,
  tool: Tool | undefined,
  { config: { approve, answers } }: DispatchContext,
): ApprovalRequest {
  const decision = answers.decisions.get(call.id);
  if (decision === undefined) return { call, tool, approve };
  return { call, tool: tool && { ...tool, needsApproval: true }, approve: () => decision };
}
