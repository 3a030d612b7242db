import { isToolCall, type ToolCall } from "@fullstop/core";
import { validateInput } from "@fullstop/core/adapter";
import { unexpectedResult } from "../config/parse-waiting.ts";
import { listTools, runsElsewhere } from "../contract/tool.ts";
import { callKey } from "../journal/keys.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { mayNeedDecision } from "./decision.ts";
import { isApprovalRequest } from "./native-tools.ts";
import { ask } from "./needs.ts";
import { type CallOutcome, neverStarted, notRun, unmade } from "./output.ts";
import { answerId, type CallPlan, type DispatchContext, type RunPlan, reply } from "./plan.ts";

/**
 * Settles the doubts about the calls of a turn and decides about them, one after the other, before
 * the first of them starts: they are one plan.
 */
export async function planCalls(
  calls: readonly ToolCall[],
  context: DispatchContext,
): Promise<readonly CallPlan[]> {
  const checked = await Promise.all(
    calls.map((call, position) => checkCall(call, callKey(context.turnKey, position), context)),
  );
  const plans: CallPlan[] = [];
  for (const one of checked) plans.push(await planCall(one, context));
  return plans;
}

/** Only the objects that the gate issued are calls: a copy does not run. */
async function checkCall(
  call: ToolCall,
  key: string,
  { config: { tools }, signal, declined }: DispatchContext,
): Promise<RunPlan> {
  const plan = { do: "run", call, key, tool: undefined, input: call.input, attempt: 1 } as const;
  const refuse = (refusal: CallOutcome): RunPlan => ({ ...plan, refusal });
  const reason = declined.get(call);
  if (!isToolCall(call)) return refuse(notRun(call, "the gate did not issue this call."));
  if (reason !== undefined) return refuse(notRun(call, reason));
  if (signal.aborted) return refuse(neverStarted(call, signal));
  if (isApprovalRequest(call, tools)) return plan;
  const tool = tools.get(call.name);
  if (tool === undefined)
    return refuse(unmade(`No tool is named "${call.name}". ${listTools(tools)}`));
  const verdict = await unlessAborted(validateInput(tool.inputSchema, call.input), signal);
  if (verdict === aborted) return refuse(neverStarted(call, signal));
  if (verdict.issues === undefined) return { ...plan, tool, input: verdict.value };
  const issues = verdict.issues.join("\n- ");
  return refuse(
    notRun(call, `its input is not valid. Correct the input and call it again.\n- ${issues}`),
  );
}

async function planCall(first: RunPlan, context: DispatchContext): Promise<CallPlan> {
  const plan = (await context.recorded?.findAttempt(first, context)) ?? first;
  if (plan.do !== "run") return plan;
  const { call, tool, refusal } = plan;
  if (refusal !== undefined) return reply(plan, refusal);
  const id = answerId(plan, context);
  const result = runsElsewhere(tool) ? await ask("result", plan, context) : undefined;
  if (result?.do === "reply") return result;
  // The tool got an `execute` while the run waited. It must not run what has run elsewhere.
  if (result === undefined && tool !== undefined && context.config.answers.results.has(id))
    throw new TypeError(unexpectedResult(id, call.name));
  return mayNeedDecision(plan, id, context) ? ask("decision", plan, context) : (result ?? plan);
}
