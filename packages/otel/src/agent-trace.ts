import type { Outcome, RunEvent } from "@fullstop/loop";
import { type Context, context, SpanKind, trace } from "@opentelemetry/api";
import { conversationContent } from "./content.ts";
import { attributes, errorTypes, operations, ownAttributes } from "./names.ts";
import { endSpan, errorAttribute, type SpanEnd } from "./span-end.ts";
import type { AgentTrace, EventOf, Telemetry, ToolTrace } from "./state.ts";
import { tokenAttributes } from "./usage.ts";

export interface ParentTrace {
  readonly agent: AgentTrace;
  readonly tool: ToolTrace | undefined;
}

export function startAgent(
  { runId, path, turnNumber, at }: RunEvent,
  telemetry: Telemetry,
  parent: ParentTrace | undefined,
): AgentTrace {
  const name = path.length === 0 ? telemetry.agentName : parent?.tool?.name;
  const named = name !== undefined && { [attributes.agentName]: name };
  const span = telemetry.tracer.startSpan(
    name === undefined ? operations.agent : `${operations.agent} ${name}`,
    {
      kind: SpanKind.INTERNAL,
      startTime: new Date(at),
      attributes: {
        [attributes.operation]: operations.agent,
        [attributes.conversation]: runId,
        ...named,
      },
    },
    parentContext(parent),
  );
  return {
    telemetry,
    runId,
    path,
    span,
    context: trace.setSpan(parentContext(parent), span),
    startedAt: at,
    metricAttributes: { [attributes.operation]: operations.agent, ...named },
    chat: undefined,
    tools: new Map(),
    tokens: { input: 0, output: 0 },
    turnNumber,
    lastAt: at,
  };
}

function parentContext(parent: ParentTrace | undefined): Context {
  if (parent === undefined) return context.active();
  const { agent, tool } = parent;
  return tool === undefined ? agent.context : trace.setSpan(agent.context, tool.span);
}

export function endAgent(agent: AgentTrace, end: SpanEnd): void {
  const { telemetry, metricAttributes, tokens, span } = agent;
  span.setAttributes({ ...tokenAttributes(tokens), ...end.attributes });
  const seconds = endSpan(agent, end);
  telemetry.metrics.agentDuration(seconds, { ...metricAttributes, ...errorAttribute(end) });
}

export function endOfOutcome(
  { outcome, at }: Pick<EventOf<"end">, "outcome" | "at">,
  { content }: Telemetry,
): SpanEnd {
  const { status, turns, cost, messages, summary } = outcome;
  return {
    at,
    attributes: {
      [ownAttributes.status]: status,
      [ownAttributes.turns]: turns,
      [ownAttributes.cost]: cost,
      ...(outcome.status === "limit" && { [ownAttributes.limit]: outcome.limit }),
      ...(content && conversationContent(messages)),
    },
    errorType: outcome.status === "failed" ? outcome.error.kind : statusErrors[status],
    message: content ? summary : undefined,
  };
}

/** The `error.type` of each status. Undefined: the caller wanted it, or it goes on. */
const statusErrors: Readonly<Record<Outcome["status"], string | undefined>> = {
  done: undefined,
  stopped: undefined,
  waiting: undefined,
  aborted: undefined,
  truncated: "truncated",
  refused: errorTypes.refused,
  failed: errorTypes.other,
  "invalid-output": "invalid_output",
  stuck: "stuck",
  limit: "limit",
};
