import type { RunContext, RunObserver, State } from "./state.ts";
import { runsAround } from "./usage.ts";

/**
 * Gives each event of a run its position, if an observer gets it. The run id is that of the
 * outermost run. All four fields are written out: previews are frequent, and a second spread costs
 * more than the rest of the event.
 */
export function withPosition(
  state: State,
  { emit, isWatched }: Pick<RunObserver, "emit" | "isWatched">,
): RunContext["emit"] {
  const { path, config } = state;
  const runId = runsAround(state).at(-1)?.config.runId ?? config.runId;
  return (event) => {
    if (isWatched()) emit({ ...event, runId, path, turnNumber: state.turnNumber, at: Date.now() });
  };
}
