import type { Turn } from "@fullstop/core";
import type { Ending } from "../contract/outcome.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import type { State } from "./state.ts";

/**
 * Asks `stopWhen` about a turn whose calls have run. Rejects if it throws, and if it does not
 * return a boolean: a run that never stops would be the result of a missing `return`.
 */
export async function callStopWhen(
  turn: Turn,
  state: State,
  signal: AbortSignal,
): Promise<Ending | undefined> {
  const { config, history, turnNumber, usage, cost } = state;
  const { stopWhen } = config;
  if (stopWhen === undefined) return undefined;
  const end = {
    turn,
    turns: turnNumber,
    messages: [...history],
    usage,
    ...(cost !== undefined && { cost }),
  };
  const answer = await unlessAborted((async () => stopWhen(end))(), signal);
  if (answer === aborted) return { status: "aborted" };
  if (typeof answer !== "boolean")
    throw new TypeError(`\`stopWhen\` must return true or false, not ${typeof answer}.`);
  return answer ? { status: "stopped" } : undefined;
}
