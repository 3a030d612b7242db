import type { Turn } from "@fullstop/loop";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import { outputContent, requestContent } from "./content.ts";
import { attributes, operations, ownAttributes, providerName, spanEvents } from "./names.ts";
import { endSpan, errorAttribute, type SpanEnd } from "./span-end.ts";
import type { AgentTrace, ChatTrace, EventOf } from "./state.ts";
import { tokenAttributes } from "./usage.ts";

/** Starts the span of a request. The first one tells the model of the agent. */
export function startChat(agent: AgentTrace, event: EventOf<"request">): ChatTrace {
  const { adapter, server, cap, effort, attempt, reason, turnNumber, at } = event;
  const model = {
    [attributes.provider]: providerName(adapter.provider),
    [attributes.requestModel]: adapter.model,
  };
  if (!(attributes.provider in agent.metricAttributes)) {
    agent.metricAttributes = { ...agent.metricAttributes, ...model };
    agent.span.setAttributes(model);
  }
  const metricAttributes = {
    [attributes.operation]: operations.chat,
    ...model,
    ...(server && {
      [attributes.serverAddress]: server.address,
      [attributes.serverPort]: server.port,
    }),
  };
  const span = agent.telemetry.tracer.startSpan(
    `${operations.chat} ${adapter.model}`,
    {
      kind: SpanKind.CLIENT,
      startTime: new Date(at),
      attributes: {
        ...metricAttributes,
        [attributes.conversation]: agent.runId,
        [attributes.maxTokens]: cap,
        [ownAttributes.effort]: effort,
        [ownAttributes.recovery]: reason,
        [ownAttributes.turn]: turnNumber,
        [ownAttributes.attempt]: attempt,
      },
    },
    agent.context,
  );
  return { span, startedAt: at, metricAttributes, lastChunkAt: undefined };
}

export function recordPrompt({ chat }: AgentTrace, { request }: EventOf<"prompt">): void {
  chat?.span.setAttributes(requestContent(request));
}

export function recordFirstByte({ telemetry, chat }: AgentTrace, at: number): void {
  if (chat === undefined) return;
  const seconds = Math.max(0, at - chat.startedAt) / 1000;
  chat.span.setAttribute(attributes.timeToFirstChunk, seconds);
  telemetry.metrics.timeToFirstChunk(seconds, chat.metricAttributes);
}

/** Measures the time since the chunk before. The first one has the metric `timeToFirstChunk`. */
export function recordChunk({ telemetry, chat }: AgentTrace, at: number): void {
  if (chat === undefined) return;
  const { lastChunkAt, metricAttributes } = chat;
  chat.lastChunkAt = at;
  if (lastChunkAt === undefined) return;
  telemetry.metrics.timePerChunk(Math.max(0, at - lastChunkAt) / 1000, metricAttributes);
}

export function endChat(agent: AgentTrace, event: EventOf<"turn">): void {
  const { chat, telemetry } = agent;
  // A reply that a tool completed (`salvage`) is reported a second time.
  if (chat === undefined) return;
  const { turn, kept, at } = event;
  const { input, output } = agent.tokens;
  const { usage } = turn;
  agent.tokens = { input: input + usage.input, output: output + usage.output };
  chat.span.setAttributes({
    ...replyAttributes(turn),
    ...usageAttributes(turn),
    [ownAttributes.kept]: kept,
    ...(telemetry.content && outputContent(turn)),
  });
  reportWithheld(agent, chat, event);
  const { metrics } = telemetry;
  for (const type of ["input", "output"] as const)
    if (usage[type] > 0)
      metrics.tokenUsage(usage[type], { ...chat.metricAttributes, [attributes.tokenType]: type });
  closeChat(agent, { at, ...errorOf(turn, telemetry.content) });
}

export function closeChat(agent: AgentTrace, end: SpanEnd): void {
  const { chat, telemetry } = agent;
  if (chat === undefined) return;
  agent.chat = undefined;
  const seconds = endSpan(chat, end);
  telemetry.metrics.operationDuration(seconds, {
    ...chat.metricAttributes,
    ...errorAttribute(end),
  });
}

function errorOf(turn: Turn, content: boolean): Pick<SpanEnd, "errorType" | "message"> {
  if (!("error" in turn)) return { errorType: undefined };
  return { errorType: turn.error.kind, message: content ? turn.error.message : undefined };
}

/** The stop reason: the provider's own, and the one that is the same for every provider. */
export const stopAttributes = ({ native, stopReason }: Turn): Attributes => ({
  ...(native !== undefined && { [attributes.finishReasons]: [native.stop] }),
  [ownAttributes.stopReason]: stopReason,
});

function replyAttributes(turn: Turn): Attributes {
  const { requestId, responseId, responseModel, rules, withheld, leakedCall } = turn;
  return {
    ...stopAttributes(turn),
    [ownAttributes.requestId]: requestId,
    [attributes.responseId]: responseId,
    [attributes.responseModel]: responseModel,
    [ownAttributes.rule]: rules?.find(({ decisive }) => decisive)?.rule,
    [ownAttributes.withheldReason]: withheld[0]?.reason,
    [attributes.statusCode]: "error" in turn ? turn.error.status : undefined,
    [ownAttributes.leakedTool]: leakedCall?.name,
    [ownAttributes.leakedForm]: leakedCall?.form,
  };
}

const usageAttributes = ({ usage }: Turn): Attributes => ({
  ...tokenAttributes(usage),
  [attributes.cacheRead]: usage.cacheRead,
  [attributes.cacheWrite]: usage.cacheWrite,
  [attributes.reasoning]: usage.reasoning,
});

function reportWithheld(
  { telemetry: { content, metrics } }: AgentTrace,
  { span, metricAttributes }: ChatTrace,
  { turn: { withheld }, at }: EventOf<"turn">,
): void {
  for (const { id, name, inputText, reason } of withheld) {
    const why = { [ownAttributes.withheldReason]: reason };
    span.addEvent(
      spanEvents.withheldCall,
      {
        ...why,
        ...(name !== undefined && { [attributes.toolName]: name }),
        [attributes.toolCallId]: id,
        [ownAttributes.withheldBytes]: new TextEncoder().encode(inputText).length,
        ...(content && { [attributes.toolArguments]: inputText }),
      },
      new Date(at),
    );
    metrics.withheld(1, { ...metricAttributes, ...why });
  }
}
