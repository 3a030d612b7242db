import { defineAdapter, type TurnEvent } from "@fullstop/core/adapter";
import type { PartialInput, RunEvent } from "@fullstop/loop";
import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventsOfType } from "./tools.ts";
import { type Mode, modes, objectReply, oslo, osloText, runForOutput } from "./typed-output.ts";

const previews = (events: readonly RunEvent[]): readonly PartialInput[] =>
  eventsOfType(events, "output").map(({ partial }) => partial);

/** A model that sends the text in pieces of this length. */
function inPieces(mode: Mode, text: string, length: number) {
  const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, position) =>
    text.slice(position * length, (position + 1) * length),
  );
  const events: readonly TurnEvent[] = [
    ...(mode === "tool"
      ? ([{ type: "tool-input-start", key: 0, id: "a", name: "final_output" }] as const)
      : []),
    ...pieces.map(
      (piece): TurnEvent =>
        mode === "tool"
          ? { type: "tool-input-delta", key: 0, text: piece }
          : { type: "text", text: piece },
    ),
    ...(mode === "tool" ? ([{ type: "tool-input-end", key: 0 }] as const) : []),
    { type: "usage", usage: { input: 1, output: 1 } },
    { type: "stop", native: mode === "tool" ? "tool-use" : "stop", provisional: false },
  ];
  const { stops } = mock([]);
  return defineAdapter<TurnEvent>({
    provider: "mock",
    protocol: "mock",
    model: "mock",
    stops,
    toolInputEnd: "explicit",
    ...(mode === "format" && { outputFormat: "always" }),
    open: async () =>
      (async function* () {
        for (const event of events) yield [event];
      })(),
    decoder: (emit) => emit,
  });
}

test.each(modes)("the object is previewed while it arrives (%s)", async (mode) => {
  const report = { title: "Snow", text: "It snows. ".repeat(40), days: [1, 2, 3] };
  const output = z.object({ title: z.string(), text: z.string(), days: z.array(z.number()) });
  const adapter = inPieces(mode, JSON.stringify(report), 5);
  const events: RunEvent[] = [];
  const agent = run({ adapter, output, prompt: "Go.", onEvent: (event) => events.push(event) });
  expect(await agent.output()).toEqual(report);
  const partials = previews(events);
  expect(partials.at(-1)).toEqual({ complete: report });
  const texts = partials.flatMap(({ incomplete }) => (incomplete ? [incomplete] : []));
  expect(texts.length).toBeGreaterThan(5);
  for (const { key, text } of texts) expect(report[key as "text"].startsWith(text)).toBe(true);
  const order = events.map(({ type }) => type);
  expect(order.lastIndexOf("output")).toBeLessThan(order.indexOf("turn"));
});

test.each(modes)(
  "a long object is parsed at growing sizes only, so its preview stays linear (%s)",
  async (mode) => {
    const text = JSON.stringify({ text: "x".repeat(100_000) });
    const adapter = inPieces(mode, text, 10);
    const events: RunEvent[] = [];
    const output = z.object({ text: z.string() });
    await run({ adapter, output, prompt: "Go.", onEvent: (event) => events.push(event) }).output();
    const read = previews(events).map(
      ({ complete, incomplete }) => (incomplete?.text ?? String(complete["text"] ?? "")).length,
    );
    expect(read.length).toBeGreaterThan(20);
    expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(text.length * 6.5);
  },
);

test.each(modes)(
  "what arrived of a cut object is previewed, and is not the output (%s)",
  async (mode) => {
    const cut = objectReply(mode, '{"city":"Oslo","celsi', "length");
    const { events, outcome } = await runForOutput(mode, [cut], { recovery: { notes: 0 } });
    expect(previews(events)).toEqual([{ complete: { city: "Oslo" } }]);
    expect(outcome.status).toBe("truncated");
  },
);

test("text that is not the beginning of an object has no preview", async () => {
  const { events } = await runForOutput("format", ["It is cold in Oslo today.", osloText]);
  expect(previews(events)).toEqual([{ complete: oslo }]);
});

test("in tool mode only the tool of the object is previewed", async () => {
  const lookup = { name: "lookup", input: { city: "Bergen" } };
  const script = [{ text: '{"city":"Rome"}', calls: [lookup] }, objectReply("tool", osloText)];
  const { events } = await runForOutput("tool", script);
  expect(previews(events)).toEqual([{ complete: oslo }]);
});

test("a run without `output` reports no previews of it", async () => {
  const adapter = { ...mock([osloText]), outputFormat: "always" as const };
  const events: RunEvent[] = [];
  await run({ adapter, prompt: "Go.", onEvent: (event) => events.push(event) }).outcome();
  expect(previews(events)).toEqual([]);
});
