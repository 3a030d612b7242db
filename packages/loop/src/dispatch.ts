import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import { type Admission, admit, neverStarted, type Postponement } from "./admission.ts";
import type { RunEvent } from "./event.ts";
import { execute } from "./execution.ts";
import { runJobs } from "./jobs.ts";
import { type Begin, stepIn } from "./journal.ts";
import type { Plan } from "./options.ts";
import { type Answer, fitted, isAnswer, refused } from "./output.ts";
import { deepFreeze } from "./schema.ts";

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
export async function dispatch(
  calls: readonly ToolCall[],
  bench: Bench,
): Promise<ToolMessage | Postponement> {
  const decided = await admit(calls, bench);
  if ("later" in decided) return decided;
  const jobs = decided.map((one, position) => ({
    alone: "tool" in one && (one.tool.exclusive ?? false),
    run: async () =>
      report(one.call, await answer(one, { ...bench, key: `${bench.key}/${position + 1}` }), bench),
  }));
  return { role: "tool", content: await runJobs(jobs, bench.plan.concurrency) };
}

function report(call: ToolCall, answered: Answer, { emit }: Bench): ToolResultBlock {
  const result = deepFreeze<ToolResultBlock>({
    type: "tool-result",
    id: call.id,
    name: call.name,
    ...answered,
  });
  emit({ type: "tool-result", call, result });
  return result;
}

/** The answer to a call; one that the journal remembers counts, whatever would become of the call today. */
async function answer(admission: Admission, bench: Bench): Promise<Answer> {
  const { plan, signal, key } = bench;
  let started = false;
  const run = async (begin: Begin): Promise<Answer> => {
    const start = async (): Promise<void> => {
      started = true;
      if ("tool" in admission && !admission.tool.idempotent) await begin();
    };
    return fitted(await carryOut(admission, bench, start), plan.maxResultChars);
  };
  const passing = (): boolean => signal.aborted && !started;
  const given = await stepIn(
    plan.journal,
    { key, kind: "tool" },
    { run, passing, inDoubt: () => inDoubt(admission.call) },
  );
  if (!isAnswer(given)) throw new TypeError(`The journal gave no result for step ${key}.`);
  return given;
}

const inDoubt = ({ name }: ToolCall): Answer =>
  refused(
    `${name} had started when this run was stopped, and its end was not recorded. Its outcome is unknown: check it before you call ${name} again.`,
  );

async function carryOut(
  admission: Admission,
  { signal, emit, key }: Bench,
  start: () => Promise<void>,
): Promise<Answer> {
  const { call } = admission;
  if ("answer" in admission) return admission.answer;
  if (signal.aborted) return neverStarted(call, signal).answer;
  emit({ type: "tool-call", call });
  if (signal.aborted) return neverStarted(call, signal).answer;
  await start();
  return signal.aborted
    ? neverStarted(call, signal).answer
    : execute(admission, { signal, idempotencyKey: key });
}
