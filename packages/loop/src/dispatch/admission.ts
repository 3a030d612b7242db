import { isToolCall, type ToolCall } from "@fullstop/core";
import { validateInput } from "@fullstop/core/adapter";
import { unexpectedResult } from "../config/parse-waiting.ts";
import type { ReviewedCall } from "../contract/ports.ts";
import { listTools, runsElsewhere, type Tool } from "../contract/tool.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { abortCause } from "../util/deadline.ts";
import {
  type ApprovalRequest,
  approvalEvent,
  type Ruling,
  readRuling,
  requestRuling,
  toReviewedCall,
} from "./approval.ts";
import type { CallStep, CheckedCall, DispatchContext, Standing } from "./context.ts";
import type { AdmittedCall } from "./execution.ts";
import { approvalDenied, approvalGiven, isApprovalRequest } from "./native-tools.ts";
import { type CallOutcome, errorOutcome } from "./output.ts";
import { outsideResult } from "./outside-result.ts";

/** A call that gets a result without a tool of this program. */
interface AnsweredCall {
  readonly call: ToolCall;
  readonly outcome: CallOutcome;
}
/** A call whose result the journal holds: since now, or since an earlier run. */
interface RecordedCall extends CheckedCall {
  readonly outcome: CallOutcome;
  readonly recorded: "now" | "earlier";
}
/** The provider asks whether it may run one of its own tools. */
interface ProviderRequest {
  readonly call: ToolCall;
  readonly isApprovalRequest: true;
}
/** A call that needs a decision or a result from outside. No call of the turn runs before. */
interface PostponedCall {
  readonly call: ToolCall;
  readonly later: ReviewedCall;
}
/** A call in doubt, or one whose tool asks a person. The other calls of the turn run. */
interface HeldCall extends CheckedCall {
  readonly waitsFor: ReviewedCall;
}
/** A call that runs, or that gets a result without a tool. */
export type AdmittedStep = (AdmittedCall | AnsweredCall) & CallStep;
export type Admission = AdmittedStep | RecordedCall | HeldCall;

/** These calls need a decision, a result or a settlement. */
export interface Postponement {
  readonly later: readonly ReviewedCall[];
  /** Other calls of the turn have run, or may have. */
  readonly hasRunOthers: boolean;
}

/**
 * Settles the doubts about the calls of a turn and decides about them, one after the other, before
 * the first of them starts: they are one plan.
 */
export async function admitCalls(
  calls: readonly ToolCall[],
  context: DispatchContext,
): Promise<readonly Admission[] | Postponement> {
  const { signal } = context;
  const checked = await Promise.all(calls.map((call) => checkCall(call, context)));
  const decided: (Admission | (PostponedCall & CallStep))[] = [];
  for (const [position, one] of checked.entries())
    decided.push(await admitCall(one, { ...context, key: `${context.key}/${position + 1}` }));
  if (decided.some((one) => "later" in one) && !signal.aborted) {
    const later = decided.flatMap(needsOf);
    return { later, hasRunOthers: await hasRunCalls(checked, context) };
  }
  return decided.map((one) =>
    "later" in one ? { ...neverStarted(one.call, signal), stepKey: one.stepKey } : one,
  );
}

function needsOf(one: Admission | PostponedCall): readonly ReviewedCall[] {
  if ("later" in one) return [one.later];
  return "waitsFor" in one ? [one.waitsFor] : [];
}

async function admitCall(
  one: AdmittedCall | ProviderRequest | AnsweredCall,
  context: DispatchContext,
): Promise<Admission | (PostponedCall & CallStep)> {
  const { durable, key } = context;
  const standing: Standing =
    durable === undefined
      ? { stepKey: key, hasEnded: false }
      : await durable.standingOf(one, context);
  if (!("stepKey" in standing)) return { ...one, ...standing };
  if ("outcome" in one) return { ...one, stepKey: standing.stepKey };
  return decideCall(one, { ...context, ...standing });
}

/**
 * Whether calls of a turn that waits have run, in an earlier attempt of the run. The result of a
 * tool that runs elsewhere does not count.
 */
async function hasRunCalls(
  checked: readonly CheckedCall[],
  { lease, key }: DispatchContext,
): Promise<boolean> {
  for (const [position, { tool }] of checked.entries()) {
    if (tool !== undefined && runsElsewhere(tool)) continue;
    const callKey = `${key}/${position + 1}`;
    // The first step of a sub-agent, or the call itself.
    for (const step of [callKey, `${callKey}/run`])
      if ((await lease.read(step)) !== undefined) return true;
  }
  return false;
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

interface StepContext extends DispatchContext, CallStep {
  /** The journal has the result. */
  readonly hasEnded: boolean;
}

async function decideCall(
  one: AdmittedCall | ProviderRequest,
  context: StepContext,
): Promise<Admission | (PostponedCall & CallStep)> {
  const { stepKey, given } = context;
  if ("isApprovalRequest" in one)
    return { ...(await decideForProvider(one.call, context)), stepKey };
  if (runsElsewhere(one.tool)) return { ...(await decideOutside(one, context)), stepKey };
  return { ...(await decideHere(one, context)), stepKey, given };
}

async function decideHere(
  one: AdmittedCall,
  context: StepContext,
): Promise<AdmittedCall | AnsweredCall | PostponedCall> {
  const { call, tool, input } = one;
  const { revision } = tool;
  const reviewed = toReviewedCall({ call, input, needs: "decision", revision }, context);
  assertHasNoResult(reviewed, context);
  const ruling = await rulingFor(reviewed, tool, context);
  if (ruling === aborted) return neverStarted(call, context.signal);
  if (ruling === "later") return { call, later: reviewed };
  return typeof ruling === "object" ? notRun(call, ruling.denied) : one;
}

/** The tool got an `execute` while the run waited. It must not run what has run elsewhere. */
function assertHasNoResult(
  { id, name }: ReviewedCall,
  { config: { answers }, hasEnded }: StepContext,
): void {
  if (answers.results.has(id) && !hasEnded) throw new TypeError(unexpectedResult(id, name));
}

/** A call of a tool without `execute`. Its result is a decision, too. */
async function decideOutside(
  { call, tool, input }: AdmittedCall,
  context: StepContext,
): Promise<RecordedCall | AnsweredCall | PostponedCall> {
  const result = await outsideResult(call, context.stepKey, context);
  if (result !== undefined) return { call, ...result };
  const { revision } = tool;
  const reviewed = toReviewedCall({ call, input, needs: "result", revision }, context);
  const ruling = await rulingFor(reviewed, tool, context);
  if (ruling === aborted) return neverStarted(call, context.signal);
  return typeof ruling === "object" ? notRun(call, ruling.denied) : { call, later: reviewed };
}

/** The provider gets the decision as the result of the call. */
async function decideForProvider(
  call: ToolCall,
  context: StepContext,
): Promise<AnsweredCall | PostponedCall> {
  const reviewed = toReviewedCall({ call, input: call.input, needs: "decision" }, context);
  const ruling = await rulingFor(reviewed, undefined, context);
  if (ruling === aborted) return neverStarted(call, context.signal);
  if (ruling === "later") return { call, later: reviewed };
  const outcome = typeof ruling === "object" ? approvalDenied(ruling.reason ?? "") : approvalGiven;
  return { call, outcome: { ...outcome, ran: false } };
}

async function rulingFor(
  reviewed: ReviewedCall,
  tool: Tool | undefined,
  context: StepContext,
): Promise<Ruling> {
  const reported = context.hasEnded
    ? await readRuling(context)
    : await requestRuling(await approvalRequest(reviewed, tool, context), context);
  if (reported.ruling === "later") await context.durable?.recordAsked(reviewed, context);
  const event = approvalEvent(reviewed, reported);
  if (event !== undefined) context.emit(event);
  return reported.ruling;
}

/** A decision that `waiting` has counts, and `approve` is not asked then. It is recorded like one. */
async function approvalRequest(
  call: ReviewedCall,
  tool: Tool | undefined,
  context: DispatchContext,
): Promise<ApprovalRequest> {
  const { approve, answers } = context.config;
  const decision = answers.decisions.get(call.id);
  if (decision === undefined) return { call, tool, approve };
  if ((await context.durable?.isAboutRevision(call, context)) === false)
    return { call, tool: tool && { ...tool, needsApproval: true }, approve };
  return { call, tool: tool && { ...tool, needsApproval: true }, approve: () => decision };
}
