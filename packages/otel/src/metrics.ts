import type { Attributes, Meter } from "@opentelemetry/api";
import { metricNames } from "./names.ts";

export interface Metrics {
  readonly operationDuration: Recorder;
  readonly timeToFirstChunk: Recorder;
  readonly timePerChunk: Recorder;
  readonly tokenUsage: Recorder;
  readonly agentDuration: Recorder;
  readonly toolDuration: Recorder;
  readonly withheld: Recorder;
}
type Recorder = (value: number, attributes: Attributes) => void;

/** Boundaries that the conventions ask for. The others have those of the SDK. */
const tokenBoundaries = Array.from({ length: 14 }, (_, power) => 4 ** power);
const secondBoundaries = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);

export function createMetrics(meter: Meter): Metrics {
  const seconds = (name: string, description: string): Recorder => {
    const advice = { explicitBucketBoundaries: secondBoundaries };
    const histogram = meter.createHistogram(name, { description, unit: "s", advice });
    return (value, attributes) => histogram.record(value, attributes);
  };
  const tokens = meter.createHistogram(metricNames.tokenUsage, {
    description: "Number of input and output tokens used.",
    unit: "{token}",
    advice: { explicitBucketBoundaries: tokenBoundaries },
  });
  const withheld = meter.createCounter(metricNames.withheld, {
    description: "Tool calls that arrived and must not run.",
    unit: "{call}",
  });
  return {
    operationDuration: seconds(metricNames.operationDuration, "GenAI operation duration."),
    timeToFirstChunk: seconds(metricNames.timeToFirstChunk, "Time to the first chunk of a reply."),
    timePerChunk: seconds(metricNames.timePerChunk, "Time between two chunks of a reply."),
    agentDuration: seconds(metricNames.agentDuration, "Duration of an agent invocation."),
    toolDuration: seconds(metricNames.toolDuration, "Duration of a tool execution."),
    tokenUsage: (value, attributes) => tokens.record(value, attributes),
    withheld: (value, attributes) => withheld.add(value, attributes),
  };
}
