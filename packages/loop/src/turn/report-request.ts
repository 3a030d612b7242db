import type { TurnRequest } from "@fullstop/core";
import { capOf } from "@fullstop/core/adapter";
import type { RunContext, State } from "./state.ts";

/** Reports a request that is about to be sent. */
export function emitRequest(
  request: TurnRequest,
  { adapter, requestCount, requestedBy }: State,
  { emit, details }: Pick<RunContext, "emit" | "details">,
): void {
  const { maxTokens, effort } = request;
  const { provider, protocol, model } = adapter;
  emit({
    type: "request",
    adapter: { provider, protocol, model },
    maxTokens,
    cap: capOf(adapter, { maxTokens }),
    effort,
    attempt: requestCount,
    reason: requestedBy,
  });
  if (details.has("prompt")) emit({ type: "prompt", request: frozenRequest(request) });
}

function frozenRequest(request: TurnRequest): TurnRequest {
  const { messages, tools } = request;
  return Object.freeze({
    ...request,
    messages: Object.freeze([...messages]),
    ...(tools && { tools: Object.freeze([...tools]) }),
  });
}
