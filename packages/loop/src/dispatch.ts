import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import { aborted, unlessAborted } from "./abort.ts";
import type { RunEvent } from "./event.ts";
import { type Admitted, execute } from "./execution.ts";
import { runJobs } from "./jobs.ts";
import type { Plan } from "./options.ts";
import { type Answer, fitted, refused } from "./output.ts";
import { check } from "./schema.ts";

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
/** A call that starts, or why it does not. */
type Admission = Admitted | { readonly call: ToolCall; readonly refusal: Answer };

/** Runs the calls of a turn, side by side where their tools allow it. Every call has one result, in call order, whatever becomes of it. */
export async function dispatch(calls: readonly ToolCall[], bench: Bench): Promise<ToolMessage> {
  const admissions = await Promise.all(calls.map((call) => admit(call, bench)));
  const jobs = admissions.map((admission, position) => ({
    alone: "tool" in admission && (admission.tool.exclusive ?? false),
    run: async () => report(admission.call, await answer(admission, position, bench), bench),
  }));
  return { role: "tool", content: await runJobs(jobs, bench.plan.concurrency) };
}

function report(call: ToolCall, answered: Answer, { emit, plan }: Bench): ToolResultBlock {
  const result: ToolResultBlock = { type: "tool-result", id: call.id, name: call.name, ...fitted(answered, plan.maxResultChars) };
  emit({ type: "tool-result", call, result });
  return result;
}

const neverStarted = ({ name }: ToolCall): Answer => refused(`${name} was not run: the run was aborted before it started.`);

async function admit(call: ToolCall, bench: Bench): Promise<Admission> {
  const { plan, signal, declined } = bench;
  const because = declined.get(call);
  const tool = plan.tools.get(call.name);
  if (because !== undefined) return refuse(call, `was not run: ${because}`);
  if (signal.aborted) return { call, refusal: neverStarted(call) };
  if (tool === undefined) return { call, refusal: refused(`There is no tool named "${call.name}". ${offered(plan.tools)}`) };
  const verdict = await unlessAborted(check(tool.inputSchema, call.input), signal);
  if (verdict === aborted) return { call, refusal: neverStarted(call) };
  if ("value" in verdict) return { call, tool, input: verdict.value };
  return refuse(call, `was not run, because its input is not valid. Correct it and call again.\n- ${verdict.issues.join("\n- ")}`);
}

const refuse = (call: ToolCall, why: string): Admission => ({ call, refusal: refused(`${call.name} ${why}`) });

async function answer(admission: Admission, position: number, { signal, emit, key }: Bench): Promise<Answer> {
  const { call } = admission;
  if ("refusal" in admission) return admission.refusal;
  if (signal.aborted) return neverStarted(call);
  emit({ type: "tool-call", call });
  if (signal.aborted) return neverStarted(call);
  return execute(admission, { signal, idempotencyKey: `${key}/${position + 1}` });
}

/** The tools by name, for a model that has to choose again. */
export const offered = (tools: ReadonlyMap<string, unknown>): string =>
  tools.size === 0 ? "No tools are offered." : `The tools are: ${[...tools.keys()].join(", ")}.`;
