import type { ToolCall } from "@fullstop/loop";
import { type Attributes, type Span, SpanKind } from "@opentelemetry/api";
import { resultText } from "./content.ts";
import { attributes, errorTypes, operations, ownAttributes, spanEvents } from "./names.ts";
import { endSpan, errorAttribute, type SpanEnd } from "./span-end.ts";
import type { AgentTrace, EventOf } from "./state.ts";

/** Starts the span of a tool. A tool that a person gave an input is called a second time. */
export function startTool(agent: AgentTrace, { call, key, at }: EventOf<"tool-call">): void {
  closeTool(agent, call.id, { at, errorType: undefined });
  const span = toolSpan(agent, call, at);
  agent.tools.set(call.id, { span, startedAt: at, name: call.name, key });
}

/** Ends the span of a call. One that did not start here has a span without a length. */
export function endTool(agent: AgentTrace, event: EventOf<"tool-result">): void {
  const { call, result, ran, at } = event;
  const started = agent.tools.get(call.id);
  const span = started?.span ?? toolSpan(agent, call, at);
  if (!ran) span.setAttribute(ownAttributes.notRun, true);
  else if (started === undefined) span.setAttribute(ownAttributes.untimed, true);
  if (event.inDoubt) span.setAttribute(ownAttributes.inDoubt, true);
  if (agent.telemetry.content) span.setAttribute(attributes.toolResult, resultText(result));
  const end = { at, errorType: errorTypeOf(event) };
  if (started === undefined) endSpan({ span, startedAt: at }, end);
  else closeTool(agent, call.id, end);
}

export function closeTool(agent: AgentTrace, id: string, end: SpanEnd): void {
  const started = agent.tools.get(id);
  if (started === undefined) return;
  agent.tools.delete(id);
  started.span.setAttributes(end.attributes ?? {});
  const seconds = endSpan(started, end);
  agent.telemetry.metrics.toolDuration(seconds, {
    [attributes.operation]: operations.tool,
    [attributes.toolName]: started.name,
    ...errorAttribute(end),
  });
}

/** A result that the journal had: an event, because the tool did not run now. */
export function reportReplayedCall({ span }: AgentTrace, event: EventOf<"tool-result">): void {
  const { call, at, inDoubt } = event;
  span.addEvent(
    spanEvents.replayedCall,
    {
      ...callAttributes(call),
      [ownAttributes.replayed]: true,
      ...(inDoubt && { [ownAttributes.inDoubt]: true }),
      ...errorAttribute({ errorType: errorTypeOf(event) }),
    },
    new Date(at),
  );
}

export const callAttributes = ({ id, name }: Pick<ToolCall, "id" | "name">): Attributes => ({
  [attributes.toolName]: name,
  [attributes.toolCallId]: id,
});

const toolSpan = (agent: AgentTrace, call: ToolCall, at: number): Span =>
  agent.telemetry.tracer.startSpan(
    `${operations.tool} ${call.name}`,
    {
      kind: SpanKind.INTERNAL,
      startTime: new Date(at),
      attributes: {
        [attributes.operation]: operations.tool,
        [attributes.conversation]: agent.runId,
        ...callAttributes(call),
        [attributes.toolType]: "function",
        ...(agent.telemetry.content && { [attributes.toolArguments]: JSON.stringify(call.input) }),
      },
    },
    agent.context,
  );

function errorTypeOf({ ran, inDoubt, timedOut, result }: EventOf<"tool-result">) {
  if (!ran) return errorTypes.refused;
  if (timedOut) return errorTypes.timeout;
  if (inDoubt) return errorTypes.inDoubt;
  return result.isError ? errorTypes.tool : undefined;
}
