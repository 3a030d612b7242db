import type { ToolCall } from "@fullstop/core";
import { aborted, unlessAborted } from "./abort.ts";
import { textOf } from "./canonical.ts";
import { type Journal, stepIn } from "./journal.ts";
import { described } from "./output.ts";
import { isObject } from "./shape.ts";

/**
 * May a call run? `"later"`: the run ends `waiting`, before any call of the turn has run. `{ deny }` gives the model a reason.
 * `{ allow }` holds for this input only: a decision that is stored apart from what it was made about.
 */
export type Decision = boolean | "later" | { readonly deny: string } | { readonly allow: object };
/** A call as it is shown to the one who decides. It is data: showing it to somebody licenses nothing, and only the gate's own call runs. */
export interface ReviewedCall {
  readonly id: string;
  readonly name: string;
  /** What validation made of the input: the same frozen value that `execute` gets. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The tool completed this input after the reply was cut (`salvage`). */
  readonly by?: "loop";
}
/** What goes with a question. */
export interface ApprovalContext {
  /** Aborts with the run. A prompt that is open then should close: its answer no longer counts. */
  readonly signal: AbortSignal;
}
/** Asked before a call runs, with the frozen input that its tool would get. */
export type Approve = (
  call: ReviewedCall,
  context: ApprovalContext,
) => Decision | Promise<Decision>;

/** A plain copy, with the input that was validated. */
export const reviewed = ({ id, name, by }: ToolCall, input: unknown): ReviewedCall =>
  Object.freeze({ id, name, input: input as ReviewedCall["input"], ...(by && { by }) });

/** What a decision comes to. `denied` says why, in words that follow "was not run:"; `reason` is the reason that somebody gave. */
export type Ruling =
  | "run"
  | "later"
  | typeof aborted
  | { readonly denied: string; readonly reason?: string };

/** Where questions are asked and answers are kept. */
interface Desk {
  readonly journal: Journal;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Asks about one call, once in the life of a run: what the journal remembers stands, while the input is the same. Anything but a clear yes is a no. */
export async function rulingOn(
  call: ReviewedCall,
  approve: Approve,
  { journal, key, signal }: Desk,
): Promise<Ruling> {
  const input = textOf(call.input);
  if (input === undefined) return ask(approve, call, signal);
  const run = async (): Promise<Ruled> => ({
    ruling: await ask(approve, call, signal),
    reviewed: input,
  });
  const passing = ({ ruling }: Ruled): boolean => ruling === "later" || ruling === aborted;
  const found = await stepIn(
    journal,
    { key: `${key}/approval`, kind: "approval" },
    { run, passing },
  );
  return found?.reviewed === input ? found.ruling : ask(approve, call, signal);
}
interface Ruled {
  readonly ruling: Ruling;
  readonly reviewed: string;
}

async function ask(approve: Approve, call: ReviewedCall, signal: AbortSignal): Promise<Ruling> {
  try {
    const asking = (async () => approve(call, { signal }))();
    const decision = await unlessAborted(asking, signal);
    return decision === aborted ? aborted : ruling(decision, call);
  } catch (thrown) {
    return no(`asking whether it may run failed (${described(thrown)}).`);
  }
}

/** What was decided, said of this call. */
export function ruling(decision: unknown, { input }: ReviewedCall): Ruling {
  if (decision === true) return "run";
  if (decision === "later") return "later";
  if (decision === false) return { denied: "it was denied." };
  if (!isObject(decision)) return no("the decision about it cannot be read.");
  if (typeof decision["deny"] === "string")
    return { denied: `it was denied: ${decision["deny"]}`, reason: decision["deny"] };
  if (!isObject(decision["allow"])) return no("the decision about it cannot be read.");
  return same(decision["allow"], input) ? "run" : no("it was allowed with another input.");
}
const no = (why: string): Ruling => ({ denied: why, reason: why });

function same(one: unknown, other: unknown): boolean {
  const text = textOf(one);
  return text !== undefined && text === textOf(other);
}
