import type { AgentOptions } from "./config/agent-tool.ts";
import { parseOptions } from "./config/parse-options.ts";
import type { RunConfig } from "./config/run-config.ts";
import type { Outcome } from "./contract/outcome.ts";
import type { Charge, NestedRuns, RunObserver, State } from "./turn/state.ts";
import { charge } from "./turn/usage.ts";

/** An agent that starts itself would go on without end. */
const maxDepth = 8;

type Loop = (config: RunConfig, observer: RunObserver) => Promise<Outcome>;

/** Starts the sub-agents of a run. Their events go to the observers of the run. */
export const nestedRuns = (
  loop: Loop,
  state: State,
  { emit, isWatched, details }: Pick<RunObserver, "emit" | "isWatched" | "details">,
): NestedRuns => ({
  start: (options, { key, signal }) => {
    const depth = state.path.length + 1;
    if (depth > maxDepth)
      throw new RangeError(
        `sub-agents may be nested ${maxDepth} deep, and this one would be number ${depth}. Do not give a sub-agent the tool that starts it.`,
      );
    const config = nestedConfig(options, state.config, key);
    const charges: Charge[] = [];
    return {
      outcome: loop(config, {
        signal,
        emit,
        isWatched,
        details,
        parent: { state, key, charges },
      }),
      charges,
    };
  },
  charge: (charges) => {
    for (const one of charges) charge(state, one);
  },
});

const sharedOptions = ["journal", "signal", "onEvent", "waiting"] as const;

function nestedConfig(options: AgentOptions, outer: RunConfig, key: string): RunConfig {
  const shared = sharedOptions.find((name) => name in options);
  if (shared !== undefined)
    throw new TypeError(`\`${shared}\` cannot be set for a sub-agent. It uses that of the run.`);
  const config = parseOptions({ ...options, approve: options.approve ?? outer.approve });
  const { journal, answers, settle } = outer;
  return { ...config, journal, answers, settle, runId: key, isNested: true };
}
