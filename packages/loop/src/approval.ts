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
/** Asked before a call runs, with the frozen input that its tool would get. */
export type Approve = (call: ToolCall) => Decision | Promise<Decision>;

/** What a decision comes to; `denied` says why, in words that follow "was not run:". */
export type Ruling = "run" | "later" | typeof aborted | { readonly denied: string };

/** Where questions are asked and answers are kept. */
interface Desk {
  readonly journal: Journal;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Asks about one call, once in the life of a run: what the journal remembers stands, while the input is the same. Anything but a clear yes is a no. */
export async function rulingOn(call: ToolCall, approve: Approve, { journal, key, signal }: Desk): Promise<Ruling> {
  const reviewed = textOf(call.input);
  if (reviewed === undefined) return ask(approve, call, signal);
  const run = async (): Promise<Ruled> => ({ ruling: await ask(approve, call, signal), reviewed });
  const passing = ({ ruling }: Ruled): boolean => ruling === "later" || ruling === aborted;
  const found = await stepIn(journal, { key: `${key}/approval`, kind: "approval" }, { run, passing });
  return found?.reviewed === reviewed ? found.ruling : ask(approve, call, signal);
}
interface Ruled {
  readonly ruling: Ruling;
  readonly reviewed: string;
}

async function ask(approve: Approve, call: ToolCall, signal: AbortSignal): Promise<Ruling> {
  try {
    const asking = (async () => approve(call))();
    const decision = await unlessAborted(asking, signal);
    return decision === aborted ? aborted : ruling(decision, call);
  } catch (thrown) {
    return { denied: `asking whether it may run failed (${described(thrown)}).` };
  }
}

/** What was decided, said of this call. */
export function ruling(decision: unknown, { input }: ToolCall): Ruling {
  if (decision === true) return "run";
  if (decision === "later") return "later";
  if (decision === false) return { denied: "it was denied." };
  if (!isObject(decision)) return { denied: "the decision about it cannot be read." };
  if (typeof decision["deny"] === "string") return { denied: `it was denied: ${decision["deny"]}` };
  if (!isObject(decision["allow"])) return { denied: "the decision about it cannot be read." };
  return same(decision["allow"], input) ? "run" : { denied: "it was allowed with another input." };
}

function same(one: unknown, other: unknown): boolean {
  const text = textOf(one);
  return text !== undefined && text === textOf(other);
}
