import {
  anyObject,
  anyText,
  checkOptions,
  type OptionKinds,
  trueOrFalse,
} from "@fullstop/core/adapter";
import { type RunEvent, withContext, withDetails } from "@fullstop/loop";
import {
  type Attributes,
  context,
  type Meter,
  metrics,
  type Span,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { endAgent, endOfOutcome, type ParentTrace, startAgent } from "./agent-trace.ts";
import {
  closeChat,
  endChat,
  recordChunk,
  recordFirstByte,
  recordPrompt,
  startChat,
  stopAttributes,
} from "./chat-trace.ts";
import { createMetrics } from "./metrics.ts";
import { errorTypes, ownAttributes, spanEvents } from "./names.ts";
import type { SpanEnd } from "./span-end.ts";
import type { AgentTrace, EventOf, Telemetry } from "./state.ts";
import { callAttributes, closeTool, endTool, reportReplayedCall, startTool } from "./tool-trace.ts";

/** Where the spans and metrics go, and what they contain. */
export interface TraceOptions {
  /** Default: `trace.getTracer("@fullstop/otel")`, of the SDK that the program registered. */
  readonly tracer?: Tracer | undefined;
  /** Default: `metrics.getMeter("@fullstop/otel")`, of the SDK that the program registered. */
  readonly meter?: Meter | undefined;
  /**
   * Also reports what was said: instructions, messages, tools, inputs, results, and the messages of
   * errors. Default: `false`. They may contain personal data.
   */
  readonly content?: boolean | undefined;
  /**
   * Also measures the time between the chunks of each reply. Default: `false`, because the loop then
   * reports every chunk.
   */
  readonly chunkTimes?: boolean | undefined;
  /** The name of the agent. Sub-agents have that of their tool. */
  readonly agentName?: string | undefined;
}

/** A run whose `outcome()` rejected. */
export interface RejectedRun {
  /** Default: all runs that have not ended. */
  readonly runId?: string | undefined;
  /** What `outcome()` rejected with. Its name becomes `error.type`. */
  readonly error?: unknown;
}

/** An `onEvent` for any number of runs, also at the same time. */
export interface TraceRuns {
  (event: RunEvent): void;
  /**
   * Ends the spans of a run whose `outcome()` rejected, for example because its journal failed: such
   * a run has no last event. A run that was aborted or left has one.
   */
  end(run?: RejectedRun): void;
}

/**
 * Makes spans and metrics of runs. The first event of a run starts its span, as a child of the
 * active one. If no SDK is registered, it does nothing.
 * @throws TypeError for an option that cannot work.
 */
export function traceRuns(options: TraceOptions = {}): TraceRuns {
  checkOptions(options, optionKinds, { of: "traceRuns" });
  const { content = false, chunkTimes = false, agentName } = options;
  const telemetry: Telemetry = {
    tracer: options.tracer ?? trace.getTracer(scope),
    metrics: createMetrics(options.meter ?? metrics.getMeter(scope)),
    content,
    chunkTimes,
    agentName,
  };
  const agents: Agents = new Map();
  const onEvent = (event: RunEvent): void => {
    const agent = agentOf(event, agents, telemetry);
    agent.lastAt = event.at;
    agent.turnNumber = event.turnNumber;
    if (event.type === "end") closeAgents(agents, event, endOfOutcome(event, telemetry));
    else reporters[event.type]?.(agent, event as never);
  };
  const end = ({ runId, error }: RejectedRun = {}): void => {
    const at = Date.now();
    const errorType = error instanceof Error ? error.name : errorTypes.other;
    for (const agent of agents.values())
      if (agent.path.length === 0 && (runId ?? agent.runId) === agent.runId)
        closeAgents(agents, agent, { at, errorType });
  };
  const details = [
    ...(content ? (["prompt"] as const) : []),
    ...(chunkTimes ? (["chunk"] as const) : []),
  ];
  // The span is the active one meanwhile, so spans of SDKs, of HTTP and of tools are in it.
  const inContext = (event: RunEvent, work: () => void): void => {
    const span = spanOf(event, agents);
    if (span === undefined) work();
    else context.with(trace.setSpan(context.active(), span), work);
  };
  const inSpans = withContext(onEvent, inContext);
  return Object.assign(details.length > 0 ? withDetails(inSpans, details) : inSpans, { end });
}

function spanOf(event: RunEvent, agents: Agents): Span | undefined {
  const agent = agents.get(agentKey(event));
  return event.type === "tool-call" ? agent?.tools.get(event.call.id)?.span : agent?.chat?.span;
}

const scope = "@fullstop/otel";

const optionKinds: OptionKinds<Required<TraceOptions>> = {
  tracer: anyObject,
  meter: anyObject,
  content: trueOrFalse,
  chunkTimes: trueOrFalse,
  agentName: anyText,
};

type Agents = Map<string, AgentTrace>;
type AgentPlace = Pick<RunEvent, "runId" | "path">;

const agentKey = ({ runId, path }: AgentPlace): string => JSON.stringify([runId, ...path]);

/** The agent of an event. A journaled run that begins anew did not end: its `outcome()` rejected. */
function agentOf(event: RunEvent, agents: Agents, telemetry: Telemetry): AgentTrace {
  const key = agentKey(event);
  const known = agents.get(key);
  if (known !== undefined && event.turnNumber >= known.turnNumber) return known;
  if (known !== undefined)
    closeAgents(agents, known, { at: known.lastAt, errorType: errorTypes.other });
  const agent = startAgent(event, telemetry, parentOf(event, agents));
  agents.set(key, agent);
  return agent;
}

function parentOf({ runId, path }: AgentPlace, agents: Agents): ParentTrace | undefined {
  const agent = agents.get(agentKey({ runId, path: path.slice(0, -1) }));
  if (path.length === 0 || agent === undefined) return undefined;
  const tool = [...agent.tools.values()].find(({ key }) => key === path.at(-1));
  return { agent, tool };
}

function closeAgents(agents: Agents, { runId, path }: AgentPlace, end: SpanEnd): void {
  const isInside = (agent: AgentTrace): boolean =>
    agent.runId === runId && path.every((key, depth) => agent.path[depth] === key);
  const waits = end.attributes?.[ownAttributes.status] === "waiting";
  const openEnd = {
    at: end.at,
    errorType: waits ? undefined : (end.errorType ?? errorTypes.other),
    ...(waits && { attributes: { [ownAttributes.waiting]: true } }),
  };
  // An agent was added after the one that it is in.
  for (const [key, agent] of [...agents].reverse()) {
    if (!isInside(agent)) continue;
    agents.delete(key);
    closeChat(agent, openEnd);
    for (const id of agent.tools.keys()) closeTool(agent, id, openEnd);
    endAgent(agent, agent.path.length === path.length ? end : openEnd);
  }
}

type Reporters = {
  readonly [Type in Exclude<RunEvent["type"], "end">]:
    | ((agent: AgentTrace, event: EventOf<Type>) => void)
    | undefined;
};

const reporters: Reporters = {
  request: (agent, event) => {
    closeChat(agent, { at: event.at, errorType: errorTypes.other });
    agent.chat = startChat(agent, event);
  },
  // Another observer may have asked for the details that come here.
  prompt: (agent, event) => {
    if (agent.telemetry.content) recordPrompt(agent, event);
  },
  "first-byte": (agent, { at }) => recordFirstByte(agent, at),
  chunk: (agent, { at }) => {
    if (agent.telemetry.chunkTimes) recordChunk(agent, at);
  },
  turn: (agent, event) => {
    const { turn, replayed, turnNumber } = event;
    if (!replayed) endChat(agent, event);
    else
      report(agent, event, spanEvents.replayedTurn, {
        ...stopAttributes(turn),
        [ownAttributes.turn]: turnNumber,
      });
  },
  recovery: (agent, event) =>
    report(agent, event, spanEvents.recovery, {
      [ownAttributes.recovery]: event.action,
      [ownAttributes.stopReason]: event.stopReason,
      [ownAttributes.turn]: event.turnNumber,
    }),
  approval: (agent, event) =>
    report(agent, event, spanEvents.approval, {
      ...callAttributes(event.call),
      [ownAttributes.decision]: event.decision,
      ...(agent.telemetry.content &&
        event.reason !== undefined && { [ownAttributes.denialReason]: event.reason }),
    }),
  settlement: (agent, event) =>
    report(agent, event, spanEvents.settlement, {
      ...callAttributes(event.call),
      [ownAttributes.settlement]: event.settlement,
    }),
  input: (agent, event) =>
    report(agent, event, spanEvents.input, {
      ...callAttributes(event.call),
      [ownAttributes.input]: event.input,
    }),
  "tool-call": startTool,
  "tool-result": (agent, event) =>
    event.replayed ? reportReplayedCall(agent, event) : endTool(agent, event),
  "tool-progress": undefined,
  output: undefined,
  text: undefined,
  thinking: undefined,
  "tool-input-start": undefined,
  "tool-input-delta": undefined,
  "tool-input-end": undefined,
};

/** Adds an event to the span of the agent, marked if it comes from the journal. */
function report(
  { span }: AgentTrace,
  event: RunEvent,
  name: string,
  eventAttributes: Attributes,
): void {
  const mark = "replayed" in event && event.replayed && { [ownAttributes.replayed]: true };
  span.addEvent(name, { ...eventAttributes, ...mark }, new Date(event.at));
}
