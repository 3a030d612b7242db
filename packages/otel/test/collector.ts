import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { onTestFinished } from "vitest";
import { type TraceOptions, type TraceRuns, traceRuns } from "../src/index.ts";

type Value = Readonly<Record<string, unknown>>;
/** An attribute as OTLP has it. */
interface KeyValue {
  readonly key: string;
  readonly value: Value;
}
interface RawSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly KeyValue[] }[];
  readonly status: { readonly code: number; readonly message?: string };
}
interface RawMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram?: { readonly dataPoints: readonly RawPoint[] };
  readonly sum?: { readonly dataPoints: readonly RawPoint[] };
}
interface RawPoint {
  readonly attributes: readonly KeyValue[];
  readonly count?: number;
  readonly sum?: number;
  readonly asInt?: number | string;
  readonly asDouble?: number;
  readonly explicitBounds?: readonly number[];
}
type Attributes = Readonly<Record<string, unknown>>;
/** A span as the receiver read it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly ms: number;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly status: RawSpan["status"];
}
/** One combination of attributes of a metric. */
export interface ReceivedPoint {
  readonly name: string;
  readonly unit: string;
  readonly attributes: Attributes;
  readonly count: number;
  readonly sum: number;
  readonly bounds: readonly number[] | undefined;
}
/** All that reached the receiver. */
export interface Received {
  readonly spans: readonly ReceivedSpan[];
  readonly points: readonly ReceivedPoint[];
  /** All that was sent, as text. */
  readonly text: string;
}
export interface Collector {
  readonly onEvent: TraceRuns;
  readonly tracerProvider: TracerProvider;
  /** Exports everything, and reads it. */
  received(): Promise<Received>;
}

const exportsOnDemand = 2 ** 30;

/** A real SDK that sends OTLP as JSON to a receiver on the loopback. */
export async function collector(options: TraceOptions = {}): Promise<Collector> {
  const bodies: { readonly path: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push({ path: request.url ?? "", body: await text(request) });
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
  const tracerProvider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics` }),
    exportIntervalMillis: exportsOnDemand,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  onTestFinished(async () => {
    await tracerProvider.shutdown();
    await meterProvider.shutdown();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const received = async (): Promise<Received> => {
    await tracerProvider.forceFlush();
    await meterProvider.forceFlush();
    const bodiesOf = (path: string): readonly string[] =>
      bodies.filter((one) => one.path === path).map(({ body }) => body);
    return {
      spans: bodiesOf("/v1/traces").flatMap(readSpans),
      points: bodiesOf("/v1/metrics").slice(-1).flatMap(readPoints),
      text: bodies.map(({ body }) => body).join("\n"),
    };
  };
  const onEvent = traceRuns({
    tracer: tracerProvider.getTracer("test"),
    meter: meterProvider.getMeter("test"),
    ...options,
  });
  return { onEvent, tracerProvider, received };
}

function readSpans(body: string): readonly ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
    }[];
  };
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      traceId: span.traceId,
      id: span.spanId,
      parentId: span.parentSpanId,
      name: span.name,
      kind: span.kind,
      ms: Number((BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1_000_000n),
      attributes: readAttributes(span.attributes),
      events: span.events.map(({ name, attributes }) => ({
        name,
        attributes: readAttributes(attributes),
      })),
      status: span.status,
    }));
}

function readPoints(body: string): readonly ReceivedPoint[] {
  const { resourceMetrics } = JSON.parse(body) as {
    readonly resourceMetrics: readonly {
      readonly scopeMetrics: readonly { readonly metrics: readonly RawMetric[] }[];
    }[];
  };
  return resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .flatMap(
      ({ name, unit, histogram, sum }) =>
        (histogram ?? sum)?.dataPoints.map((point) => ({
          name,
          unit,
          attributes: readAttributes(point.attributes),
          count: Number(point.count ?? 1),
          sum: Number(point.sum ?? point.asInt ?? point.asDouble),
          bounds: point.explicitBounds,
        })) ?? [],
    );
}

const readAttributes = (list: readonly KeyValue[]): Attributes =>
  Object.fromEntries(list.map(({ key, value }) => [key, readValue(value)]));

function readValue(value: Value): unknown {
  const [[type, content] = ["", undefined]] = Object.entries(value);
  if (type === "intValue") return Number(content);
  if (type === "arrayValue") return (content as { values: readonly Value[] }).values.map(readValue);
  return content;
}
