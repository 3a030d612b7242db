import type { ToolCall } from "@fullstop/core";
import { aborted, unlessAborted } from "./abort.ts";
import { type Ruling, ruling, rulingOn } from "./approval.ts";
import type { Admitted } from "./execution.ts";
import { endOf } from "./limits.ts";
import type { Plan } from "./options.ts";
import { type Answer, refused } from "./output.ts";
import { check } from "./schema.ts";

interface Door {
  readonly plan: Plan;
  readonly signal: AbortSignal;
  /** `<run>/<turn>` */
  readonly key: string;
  /** Calls that the loop answers without running them, and why. */
  readonly declined: ReadonlyMap<ToolCall, string>;
}
interface Refusal {
  readonly call: ToolCall;
  readonly refusal: Answer;
}
/** A call that somebody decides on later, with the input that was reviewed. */
interface Postponed {
  readonly later: ToolCall;
}
/** What becomes of a call, before it starts. */
export type Admission = Admitted | Refusal;
/** Somebody decides on these calls later, and until then on none. */
export interface Postponement {
  readonly later: readonly ToolCall[];
}

/** Decides on all calls of a turn, one after the other, before the first of them starts: they are one plan. */
export async function admit(calls: readonly ToolCall[], door: Door): Promise<readonly Admission[] | Postponement> {
  const checked = await Promise.all(calls.map((call) => validate(call, door)));
  const decided: Admission[] = [];
  const later: ToolCall[] = [];
  for (const [position, one] of checked.entries()) {
    const ruled = "refusal" in one ? one : await decide(one, { ...door, key: `${door.key}/${position + 1}` });
    if ("later" in ruled) later.push(ruled.later);
    else decided.push(ruled);
  }
  if (door.signal.aborted) return checked.map((one) => ("refusal" in one ? one : neverStarted(one.call, door.signal)));
  return later.length > 0 ? { later } : decided;
}

const refuse = (call: ToolCall, why: string): Refusal => ({ call, refusal: refused(`${call.name} was not run${why}`) });
export const neverStarted = (call: ToolCall, signal: AbortSignal): Refusal => refuse(call, `: ${endOf(signal)} before it started.`);

async function validate(call: ToolCall, { plan, signal, declined }: Door): Promise<Admitted | Refusal> {
  const because = declined.get(call);
  const tool = plan.tools.get(call.name);
  if (because !== undefined) return refuse(call, `: ${because}`);
  if (signal.aborted) return neverStarted(call, signal);
  if (tool === undefined) return { call, refusal: refused(`There is no tool named "${call.name}". ${offered(plan.tools)}`) };
  const verdict = await unlessAborted(check(tool.inputSchema, call.input), signal);
  if (verdict === aborted) return neverStarted(call, signal);
  if ("value" in verdict) return { call, tool, input: verdict.value };
  return refuse(call, `, because its input is not valid. Correct it and call again.\n- ${verdict.issues.join("\n- ")}`);
}

async function decide(admitted: Admitted, door: Door): Promise<Admission | Postponed> {
  const { call, input } = admitted;
  const reviewed: ToolCall = Object.freeze({ ...call, input: input as Readonly<Record<string, unknown>> });
  const given = door.plan.waiting?.decisions.get(call.id);
  const ruled = given === undefined ? await asked(reviewed, door) : ruling(given, reviewed);
  if (ruled === "run") return admitted;
  if (ruled === "later") return { later: reviewed };
  return ruled === aborted ? neverStarted(call, door.signal) : refuse(call, `: ${ruled.denied}`);
}

async function asked(call: ToolCall, { plan: { approve, journal }, signal, key }: Door): Promise<Ruling> {
  if (signal.aborted) return aborted;
  return approve === undefined ? "run" : rulingOn(call, approve, { journal, key, signal });
}

/** The tools by name, for a model that has to choose again. */
export const offered = (tools: ReadonlyMap<string, unknown>): string =>
  tools.size === 0 ? "No tools are offered." : `The tools are: ${[...tools.keys()].join(", ")}.`;
