import { isToolCall, type ToolCall } from "@fullstop/core";
import { aborted, unlessAborted } from "./abort.ts";
import { type ReviewedCall, type Ruling, reviewed, ruling, rulingOn } from "./approval.ts";
import type { Admitted } from "./execution.ts";
import { approved, isApprovalRequest, notApproved } from "./hosted.ts";
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
/** A call that is answered without a tool. */
interface Settled {
  readonly call: ToolCall;
  readonly answer: Answer;
}
/** A provider asks whether it may run a tool of its own. */
interface Request {
  readonly call: ToolCall;
  readonly asks: true;
}
/** A call that somebody decides on later, with the input that was reviewed. */
interface Postponed {
  readonly later: ReviewedCall;
}
/** What becomes of a call, before it starts. */
export type Admission = Admitted | Settled;
/** Somebody decides on these calls later, and until then none of the turn runs. */
export interface Postponement {
  readonly later: readonly ReviewedCall[];
}

/** Decides on all calls of a turn, one after the other, before the first of them starts: they are one plan. */
export async function admit(
  calls: readonly ToolCall[],
  door: Door,
): Promise<readonly Admission[] | Postponement> {
  const checked = await Promise.all(calls.map((call) => validate(call, door)));
  const decided: Admission[] = [];
  const later: ReviewedCall[] = [];
  for (const [position, one] of checked.entries()) {
    const ruled =
      "answer" in one ? one : await decide(one, { ...door, key: `${door.key}/${position + 1}` });
    if ("later" in ruled) later.push(ruled.later);
    else decided.push(ruled);
  }
  if (door.signal.aborted)
    return checked.map((one) => ("answer" in one ? one : neverStarted(one.call, door.signal)));
  return later.length > 0 ? { later } : decided;
}

const refuse = (call: ToolCall, why: string): Settled => ({
  call,
  answer: refused(`${call.name} was not run${why}`),
});
export const neverStarted = (call: ToolCall, signal: AbortSignal): Settled =>
  refuse(call, `: ${endOf(signal)} before it started.`);

/** Only the very objects that the gate gave out are calls: a copy, whatever it says, does not run. */
async function validate(
  call: ToolCall,
  { plan, signal, declined }: Door,
): Promise<Admitted | Request | Settled> {
  const because = declined.get(call);
  const tool = plan.tools.get(call.name);
  if (!isToolCall(call)) return refuse(call, ", because the gate did not give out this call.");
  if (because !== undefined) return refuse(call, `: ${because}`);
  if (signal.aborted) return neverStarted(call, signal);
  if (isApprovalRequest(call, plan.tools)) return { call, asks: true };
  if (tool === undefined)
    return {
      call,
      answer: refused(`There is no tool named "${call.name}". ${offered(plan.tools)}`),
    };
  const verdict = await unlessAborted(check(tool.inputSchema, call.input), signal);
  if (verdict === aborted) return neverStarted(call, signal);
  if ("value" in verdict) return { call, tool, input: verdict.value };
  return refuse(
    call,
    `, because its input is not valid. Correct it and call again.\n- ${verdict.issues.join("\n- ")}`,
  );
}

async function decide(one: Admitted | Request, door: Door): Promise<Admission | Postponed> {
  const { call } = one;
  const shown = reviewed(call, "asks" in one ? call.input : one.input);
  const given = door.plan.waiting?.decisions.get(call.id);
  const ruled =
    given === undefined
      ? await asked(shown, door, "asks" in one ? "later" : "run")
      : ruling(given, shown);
  if (ruled === "later") return { later: shown };
  if (ruled === aborted) return neverStarted(call, door.signal);
  if ("asks" in one)
    return { call, answer: ruled === "run" ? approved : notApproved(ruled.reason ?? "") };
  return ruled === "run" ? one : refuse(call, `: ${ruled.denied}`);
}

/** Without an `approve` tools run, but nobody says yes in a person's name. */
async function asked(
  call: ReviewedCall,
  { plan: { approve, journal }, signal, key }: Door,
  otherwise: Ruling,
): Promise<Ruling> {
  if (signal.aborted) return aborted;
  return approve === undefined ? otherwise : rulingOn(call, approve, { journal, key, signal });
}

/** The tools by name, for a model that has to choose again. */
export const offered = (tools: ReadonlyMap<string, unknown>): string =>
  tools.size === 0 ? "No tools are offered." : `The tools are: ${[...tools.keys()].join(", ")}.`;
