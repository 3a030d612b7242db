import { explain, ProviderError, type Turn } from "@fullstop/core";
import type { State } from "../turn/state.ts";
import { continueRun, type NextAction, stop } from "./action.ts";
import { askFallback } from "./failure.ts";
import { malformedCallNote } from "./notes.ts";

/** A note, while there are notes left, then the fallback. The run never ends as if it were done. */
export function afterLeakedCall(turn: Turn, state: State): NextAction | undefined {
  if (turn.leakedCall === undefined) return undefined;
  const action = continueRun(turn, state, "leakedCalls", malformedCallNote(turn, state));
  if (action.type !== "stop") return action;
  const error = new ProviderError(explain(turn).person, { kind: "malformed-tool-call" });
  return askFallback(turn, state) ?? stop(turn, { status: "failed", error });
}
