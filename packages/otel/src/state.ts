import type { RunEvent, Usage } from "@fullstop/loop";
import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";
import type { Metrics } from "./metrics.ts";

export interface Telemetry {
  readonly tracer: Tracer;
  readonly metrics: Metrics;
  readonly content: boolean;
  readonly chunkTimes: boolean;
  readonly agentName: string | undefined;
}
export type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>;
export interface TimedSpan {
  readonly span: Span;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}
export interface ChatTrace extends TimedSpan {
  readonly metricAttributes: Attributes;
  /** When the last chunk of its reply arrived. Undefined: none has, or chunks are not measured. */
  lastChunkAt: number | undefined;
}
export interface ToolTrace extends TimedSpan {
  readonly name: string;
  /** The journal key of its call. */
  readonly key: string;
}
export interface AgentTrace extends TimedSpan {
  readonly telemetry: Telemetry;
  readonly runId: string;
  readonly path: readonly string[];
  /** The context whose span is that of the agent. */
  readonly context: Context;
  /** What all its metrics have. The model is known from the first request on. */
  metricAttributes: Attributes;
  chat: ChatTrace | undefined;
  /** Tools that have started and have no result yet, by the id of the call. */
  readonly tools: Map<string, ToolTrace>;
  /** Tokens of the requests that this agent sent. Replies of the journal do not count. */
  tokens: Pick<Usage, "input" | "output">;
  turnNumber: number;
  lastAt: number;
}
