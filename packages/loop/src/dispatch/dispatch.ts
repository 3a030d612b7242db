import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import { freezeDeep } from "@fullstop/core/adapter";
import type { ReviewedCall } from "../contract/ports.ts";
import { carryOut } from "./attempt.ts";
import { type Job, runJobs } from "./jobs.ts";
import { blocksTurn } from "./needs.ts";
import type { CallOutcome } from "./output.ts";
import type { CallPlan, DispatchContext, WaitPlan } from "./plan.ts";
import { haveRun, planCalls } from "./plan-calls.ts";

export type DispatchedTurn =
  | {
      readonly do: "reply";
      readonly results: ToolMessage;
      readonly ended: { readonly output: unknown } | undefined;
    }
  | {
      readonly do: "wait";
      readonly waitsFor: readonly ReviewedCall[];
      /** Other calls of the turn have run, or may have. */
      readonly hasRunOthers: boolean;
    };

/** Every call gets one result, in the order of the calls. */
export async function dispatch(
  calls: readonly ToolCall[],
  context: DispatchContext,
): Promise<DispatchedTurn> {
  const { signal, config } = context;
  const plans = await planCalls(calls, context);
  if (plans.some(blocksTurn) && !signal.aborted)
    return {
      do: "wait",
      waitsFor: plans.flatMap(waitsFor),
      hasRunOthers: await haveRun(plans, context),
    };
  const jobs = plans.map((plan) => toJob(plan, context));
  const ended = await runJobs(jobs, config.limits.concurrency);
  if (ended.some((one) => one.do === "wait") && !signal.aborted)
    return { do: "wait", waitsFor: ended.flatMap(waitsFor), hasRunOthers: true };
  // An aborted run does not wait: the turn joins the conversation, because other calls have run.
  const content = ended.map((one) =>
    one.do === "wait"
      ? emitResult(one, { outcome: one.ifAborted(one.call, signal), replayed: false }, context)
      : one.result,
  );
  return { do: "reply", results: { role: "tool", content }, ended: firstEnding(plans, content) };
}

type EndedCall = WaitPlan | { readonly do: "reply"; readonly result: ToolResultBlock };

const waitsFor = (plan: CallPlan | EndedCall): readonly ReviewedCall[] =>
  plan.do === "wait" ? plan.waitsFor : [];

function toJob(plan: CallPlan, context: DispatchContext): Job<EndedCall> {
  const tool = plan.do === "run" ? plan.tool : undefined;
  return {
    exclusive: tool?.exclusive ?? false,
    limit: tool?.concurrency === undefined ? undefined : { of: tool, max: tool.concurrency },
    run: async () => {
      const ended = await carryOut(plan, context);
      return ended.do === "wait"
        ? ended
        : { do: ended.do, result: emitResult(ended, ended, context) };
    },
  };
}

/** An input that its tool completed after a cut is not the model's answer. */
function firstEnding(
  plans: readonly CallPlan[],
  content: readonly ToolResultBlock[],
): { readonly output: unknown } | undefined {
  const plan = plans.find(
    ({ tool, call }, position) => tool?.ends && call.by !== "loop" && !content[position]?.isError,
  );
  return plan && { output: plan.input };
}

function emitResult(
  { call }: { readonly call: ToolCall },
  { outcome, replayed }: { readonly outcome: CallOutcome; readonly replayed: boolean },
  { emit }: DispatchContext,
): ToolResultBlock {
  const result = freezeDeep<ToolResultBlock>({
    type: "tool-result",
    id: call.id,
    name: call.name,
    content: outcome.content,
    ...(outcome.isError && { isError: true }),
  });
  emit({
    type: "tool-result",
    call,
    result,
    ran: outcome.ran ?? true,
    ...(outcome.inDoubt && { inDoubt: true }),
    ...(outcome.timedOut && { timedOut: true }),
    ...(replayed && { replayed }),
  });
  return result;
}
