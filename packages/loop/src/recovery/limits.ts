import type { ToolCall } from "@fullstop/core";
import type { ResolvedLimits } from "../config/run-config.ts";
import type { Limit } from "../contract/limits.ts";
import type { Tool } from "../contract/tool.ts";
import { isOutputCall } from "../turn/output.ts";
import type { State } from "../turn/state.ts";
import { runsAround } from "../turn/usage.ts";
import { type NextAction, stop } from "./action.ts";

const isOutputReached = ({ usage, config }: State): boolean =>
  usage.output >= config.limits.outputTokens;
const isCostReached = ({ cost = 0, config }: State): boolean => cost >= config.limits.cost;

/** In the order of their names in an outcome. `calls` would run next. */
const isReached: Readonly<Record<Limit, (state: State, calls: number) => boolean>> = {
  turns: ({ turnNumber, config }) => turnNumber >= config.limits.turns,
  toolCalls: ({ toolCallCount, config }, calls) => toolCallCount + calls > config.limits.toolCalls,
  outputTokens: (state) => runsAround(state).some(isOutputReached),
  cost: (state) => runsAround(state).some(isCostReached),
  // The signal keeps it: see `withDeadline`.
  deadlineMs: () => false,
};
const limitNames = Object.keys(isReached) as Limit[];

export const reachedLimit = (state: State, calls: number): Limit | undefined =>
  limitNames.find((limit) => isReached[limit](state, calls));

/** The limits of a sub-agent, with those of the runs around it that are reached. */
export function limitsInForce(state: State): ResolvedLimits {
  const { limits } = state.config;
  const output = runsAround(state).find(isOutputReached)?.config.limits ?? limits;
  const cost = runsAround(state).find(isCostReached)?.config.limits ?? limits;
  return { ...limits, outputTokens: output.outputTokens, cost: cost.cost };
}

/** Calls that all end the run are its answer, so only `toolCalls` holds them back. */
export function limitOnCalls(
  calls: readonly ToolCall[],
  tools: ReadonlyMap<string, Tool>,
  state: State,
): Limit | undefined {
  const counted = calls.filter((call) => !isOutputCall(call, state.config)).length;
  const areAnswer = calls.every(({ name, by }) => tools.get(name)?.ends && by !== "loop");
  if (!areAnswer) return reachedLimit(state, counted);
  return isReached.toolCalls(state, counted) ? "toolCalls" : undefined;
}

export function enforceLimits(action: NextAction, state: State): NextAction {
  const limit = limitOn(action, state);
  return limit === undefined ? action : stop(action.reply, { status: "limit", limit });
}

/** The calls of a reply get a result even if a limit is reached: see `declinedCalls`. */
function limitOn(action: NextAction, state: State): Limit | undefined {
  if (action.type === "stop") return undefined;
  if (action.type === "run-tools")
    return action.recovery === "salvage" ? reachedLimit(state, 1) : undefined;
  return limitNames.find((name) => name !== "turns" && isReached[name](state, 0));
}

const plural = (count: number, noun: string): string =>
  count === 1 ? `one ${noun}` : `${count} ${noun}s`;
const limitTexts: Readonly<Record<Limit, (max: number) => string>> = {
  turns: (max) => `limit of ${plural(max, "turn")}`,
  toolCalls: (max) => `limit of ${plural(max, "tool call")}`,
  outputTokens: (max) => `limit of ${plural(max, "output token")}`,
  cost: (max) => `cost limit of ${max}`,
  deadlineMs: (max) => `deadline of ${max / 1000} s`,
};
export const describeLimit = (limit: Limit, limits: ResolvedLimits): string =>
  limitTexts[limit](limits[limit]);
