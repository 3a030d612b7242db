import { jsonSchema, type Outcome, type RunOptions, run, type Tool, tool } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { expect } from "vitest";
import type { TraceOptions } from "../src/index.ts";
import { type Collector, collector, type Received, type ReceivedSpan } from "./collector.ts";

/** A tool that takes any object. */
export const toolNamed = (
  name: string,
  execute: NonNullable<Tool["execute"]> = () => "ok",
  more: Partial<Tool> = {},
): Tool => ({
  ...tool({ name, description: name, inputSchema: jsonSchema({ type: "object" }), execute }),
  ...more,
});

export const call = (name: string, input: object = {}): Say => ({
  calls: [{ name, id: name, input }],
});

/** What the receiver got. */
export interface Trace extends Received {
  spansNamed(name: string): readonly ReceivedSpan[];
  /** Fails if there is not exactly one. */
  spanNamed(name: string): ReceivedSpan;
}

/** Runs to the end, and reads what the receiver got. A span that did not end does not reach it. */
export async function traced(
  options: Partial<RunOptions>,
  content = false,
  more: Partial<TraceOptions> = {},
): Promise<Trace & { readonly outcome: Outcome }> {
  const sink = await collector({ content, ...more });
  const outcome = await run({
    adapter: mock(["Done."]),
    prompt: "Go.",
    onEvent: sink.onEvent,
    ...options,
  }).outcome();
  return { outcome, ...(await received(sink)) };
}

export async function received(sink: Collector): Promise<Trace> {
  const all = await sink.received();
  const spansNamed = (name: string): readonly ReceivedSpan[] =>
    all.spans.filter((span) => span.name === name);
  const spanNamed = (name: string): ReceivedSpan => {
    const found = spansNamed(name);
    expect(found.map((span) => span.name)).toEqual([name]);
    return found[0] as ReceivedSpan;
  };
  return { ...all, spansNamed, spanNamed };
}
