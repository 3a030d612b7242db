import type { ToolCall } from "@fullstop/core";
import { aborted, unlessAborted } from "./abort.ts";
import { canonical } from "./canonical.ts";
import { described } from "./output.ts";

/**
 * May a call run? `"later"`: the run ends `waiting`, before any call of the turn has run. `{ deny }` gives the model a reason.
 * `{ allow }` holds for this input only: a decision that is stored apart from what it was made about.
 */
export type Decision = boolean | "later" | { readonly deny: string } | { readonly allow: object };
/** Asked before a call runs, with the frozen input that its tool would get. */
export type Approve = (call: ToolCall) => Decision | Promise<Decision>;

/** What a decision comes to; `denied` says why, in words that follow "was not run:". */
export type Ruling = "run" | "later" | typeof aborted | { readonly denied: string };

/** Asks for one call. Anything but a clear yes is a no. */
export async function ask(approve: Approve, call: ToolCall, signal: AbortSignal): Promise<Ruling> {
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

function same(one: unknown, other: unknown): boolean {
  try {
    return canonical(one) === canonical(other);
  } catch {
    return false;
  }
}
