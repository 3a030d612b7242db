import type { TurnRequest } from "@fullstop/core";
import { capOf } from "@fullstop/core/adapter";
import { type Inside, inNoContext } from "../contract/event.ts";
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
  return (event) =>
    isWatched()
      ? emit({ ...event, runId, path, turnNumber: state.turnNumber, at: Date.now() })
      : inNoContext;
}

/** Reports a request that is about to be sent. What it returns sends it. */
export function emitRequest(
  request: TurnRequest,
  { adapter, requestCount, requestedBy }: State,
  { emit, details }: Pick<RunContext, "emit" | "details">,
): Inside {
  const { maxTokens, effort } = request;
  const { provider, protocol, model } = adapter;
  const inside = emit({
    type: "request",
    adapter: { provider, protocol, model },
    server: adapter.server?.(),
    maxTokens,
    cap: capOf(adapter, { maxTokens }),
    effort,
    attempt: requestCount,
    reason: requestedBy,
  });
  if (details.has("prompt")) emit({ type: "prompt", request: frozenRequest(request) });
  return inside;
}

function frozenRequest(request: TurnRequest): TurnRequest {
  const { messages, tools } = request;
  return Object.freeze({
    ...request,
    messages: Object.freeze([...messages]),
    ...(tools && { tools: Object.freeze([...tools]) }),
  });
}
