import type { StartRun } from "../config/agent-tool.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { NestedRun, NestedRuns } from "../turn/state.ts";

/** The sub-agent of one call, if its tool starts one. */
export interface NestedCall {
  /** Rejects for options that cannot work, for a second sub-agent, and after the call ended. */
  readonly start: StartRun;
  readonly hasStarted: () => boolean;
  /**
   * Ends the call: waits for the sub-agent, also if the tool was given up. Rejects if the loop of
   * the sub-agent rejects.
   */
  readonly end: () => Promise<NestedEnd | undefined>;
}
export interface NestedEnd extends Pick<NestedRun, "charges"> {
  readonly outcome: Outcome;
}

export function nestedCall(runs: NestedRuns, key: string): NestedCall {
  let nested: NestedRun | undefined;
  let isOver = false;
  return {
    start: async (options, signal) => {
      if (isOver) throw new Error("the call has ended, so it cannot start a sub-agent any more.");
      if (nested !== undefined)
        throw new Error("a call may start one sub-agent. Use a tool for each of them.");
      nested = runs.start(options, { key, signal });
      return nested.outcome;
    },
    hasStarted: () => nested !== undefined,
    end: async () => {
      isOver = true;
      return nested && { outcome: await nested.outcome, charges: nested.charges };
    },
  };
}
