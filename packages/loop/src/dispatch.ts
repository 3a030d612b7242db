import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import { type Admission, admit, neverStarted, type Postponement } from "./admission.ts";
import type { RunEvent } from "./event.ts";
import { execute } from "./execution.ts";
import { runJobs } from "./jobs.ts";
import type { Plan } from "./options.ts";
import { type Answer, fitted } from "./output.ts";

/** What running the calls of one turn needs. */
export interface Bench {
  readonly plan: Plan;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
  /** `<run>/<turn>` */
  readonly key: string;
  /** Calls that the loop answers without running them, and why. */
  readonly declined: ReadonlyMap<ToolCall, string>;
}
/** Runs the calls of a turn, side by side where their tools allow it. Every call has one result, in call order, whatever becomes of it. */
export async function dispatch(calls: readonly ToolCall[], bench: Bench): Promise<ToolMessage | Postponement> {
  const decided = await admit(calls, bench);
  if ("later" in decided) return decided;
  const jobs = decided.map((one, position) => ({
    alone: "tool" in one && (one.tool.exclusive ?? false),
    run: async () => report(one.call, await answer(one, position, bench), bench),
  }));
  return { role: "tool", content: await runJobs(jobs, bench.plan.concurrency) };
}

function report(call: ToolCall, answered: Answer, { emit, plan }: Bench): ToolResultBlock {
  const result: ToolResultBlock = { type: "tool-result", id: call.id, name: call.name, ...fitted(answered, plan.maxResultChars) };
  emit({ type: "tool-result", call, result });
  return result;
}

async function answer(admission: Admission, position: number, { signal, emit, key }: Bench): Promise<Answer> {
  const { call } = admission;
  if ("refusal" in admission) return admission.refusal;
  if (signal.aborted) return neverStarted(call).refusal;
  emit({ type: "tool-call", call });
  if (signal.aborted) return neverStarted(call).refusal;
  return execute(admission, { signal, idempotencyKey: `${key}/${position + 1}` });
}
