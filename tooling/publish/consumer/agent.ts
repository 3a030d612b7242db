import { strict as assert } from "node:assert";
import type { Wire } from "@fullstop/conformance";
import { answerEvents, type Received, serve } from "@fullstop/conformance/server";
import type { Adapter } from "@fullstop/core";
import { run, tool } from "@fullstop/loop";
import { z } from "zod";

/**
 * A run of two turns against a server of this protocol: a call and an answer. Resolves with the
 * last request.
 */
export async function agent(wire: Wire, adapter: (url: string) => Adapter): Promise<Received> {
  const { stop = "stop", "tool-use": calls = stop } = wire.nativeStops;
  const replies = [
    wire.frames({
      blocks: [{ name: "weather", id: "call_1", input: { city: "Oslo" } }],
      stop: calls,
      output: 10,
    }),
    wire.frames({ blocks: [{ text: "Take a coat." }], stop, output: 10 }),
  ];
  const provider = await serve((_, n) => {
    const { upToTerminal = [], after = [] } = replies[n] ?? {};
    return answerEvents(wire, [...upToTerminal, ...after]);
  });
  const cities: string[] = [];
  const weather = tool({
    name: "weather",
    description: "The weather in a city.",
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => {
      cities.push(city);
      return "4 °C";
    },
  });
  try {
    const outcome = await run({
      adapter: adapter(provider.url),
      tools: [weather],
      prompt: "Do I need a coat?",
    }).outcome();
    assert.deepEqual(
      { status: outcome.status, cities, requests: provider.requests.length },
      { status: "done", cities: ["Oslo"], requests: 2 },
      wire.name,
    );
    const last = provider.requests.at(-1);
    assert.ok(last);
    assert.deepEqual(wire.violations(JSON.parse(last.body)), [], wire.name);
    return last;
  } finally {
    await provider.close();
  }
}
