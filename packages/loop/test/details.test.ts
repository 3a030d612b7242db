import { defineAdapter, sse, type TurnEvent } from "@fullstop/core/adapter";
import { type RunEvent, run, withDetails } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { checkOrder } from "./event-order.ts";
import { call } from "./script-run.ts";
import { eventsOfType, recorder } from "./tools.ts";

const start = (onEvent: (event: RunEvent) => void) =>
  run({
    adapter: mock([call("look"), "Done."]),
    system: "Be brief.",
    tools: [recorder("look")],
    prompt: "Go.",
    onEvent,
  });
const detailsOf = async (
  types?: Parameters<typeof withDetails>[1],
): Promise<readonly RunEvent[]> => {
  const events: RunEvent[] = [];
  await start(withDetails((event) => events.push(event), types)).outcome();
  checkOrder(events);
  return events;
};
const withoutDetails = (events: readonly RunEvent[]): readonly string[] =>
  events.map(({ type }) => type).filter((type) => type !== "chunk" && type !== "prompt");

test("only an observer that asks for details gets them; an iteration never does", async () => {
  const plain: RunEvent[] = [];
  const events: RunEvent[] = [];
  await start((event) => plain.push(event)).outcome();
  const iterated: string[] = [];
  for await (const { type } of start(withDetails((event) => events.push(event))))
    iterated.push(type);
  expect(plain.map(({ type }) => type)).toEqual(iterated);
  expect(iterated).toEqual(withoutDetails(events));
  expect(events.length).toBeGreaterThan(iterated.length);
});

test("chunks hold the provider's own events, frozen", async () => {
  const events = await detailsOf(["chunk"]);
  const natives = eventsOfType(events, "chunk").flatMap((event) => event.natives);
  expect(natives.length).toBeGreaterThan(2);
  expect(natives.every((native) => Object.isFrozen(native))).toBe(true);
  expect(eventsOfType(events, "prompt")).toEqual([]);
});

type Ping = { readonly type: "ping"; readonly detail: unknown };
const isPing = (event: TurnEvent | Ping): event is Ping => event.type === "ping";

test("a chunk may hold an unknown member that is nested 20,000 deep", async () => {
  const ping = `{"type":"ping","detail":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  const events = [
    ping,
    '{"type":"text","text":"Done."}',
    '{"type":"stop","native":"stop","provisional":false}',
  ];
  const adapter = defineAdapter<TurnEvent | Ping>({
    provider: "deep",
    protocol: "deep",
    model: "deep",
    stops: { stop: "stop" },
    toolInputEnd: "explicit",
    refuseReference: () => undefined,
    open: () =>
      sse(
        new Response(events.map((event) => `data: ${event}\n\n`).join(""), {
          headers: { "content-type": "text/event-stream" },
        }),
      ),
    decoder: (emit) => (event) => void (isPing(event) || emit(event)),
  });
  const seen: RunEvent[] = [];
  const onEvent = withDetails((event) => seen.push(event), ["chunk"]);
  const outcome = await run({ adapter, prompt: "Go.", onEvent }).outcome();
  expect(outcome).toMatchObject({ status: "done", text: "Done." });
  const natives = eventsOfType(seen, "chunk").flatMap((event) => event.natives);
  let depth = 0;
  for (let at = (natives[0] as Ping).detail; Array.isArray(at); at = at[0]) {
    expect(Object.isFrozen(at)).toBe(true);
    depth += 1;
  }
  expect(depth).toBe(20_000);
});

test("a prompt follows each request, with what the adapter gets", async () => {
  const events = await detailsOf(["prompt"]);
  const prompts = eventsOfType(events, "prompt").map(({ request }) => request);
  expect(prompts.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
    ["user"],
    ["user", "assistant", "tool"],
  ]);
  expect(prompts.map(({ system, tools }) => [system, tools?.length])).toEqual([
    ["Be brief.", 1],
    ["Be brief.", 1],
  ]);
  for (const request of prompts) {
    expect(Object.isFrozen(request)).toBe(true);
    expect(Object.isFrozen(request.messages)).toBe(true);
    expect(request.messages.every((message) => Object.isFrozen(message))).toBe(true);
  }
  expect(eventsOfType(events, "chunk")).toEqual([]);
});

test("each of several observers gets what it asked for, also if another one throws", async () => {
  const seen: Record<string, string[]> = { prompts: [], plain: [] };
  const watch = (name: string) => (event: RunEvent) => void seen[name]?.push(event.type);
  const throwing = (): void => {
    throw new Error("No.");
  };
  const outcome = await run({
    adapter: mock(["Done."]),
    prompt: "Go.",
    onEvent: [throwing, withDetails(watch("prompts"), ["prompt"]), watch("plain")],
  }).outcome();
  expect(outcome.observerError).toEqual(new Error("No."));
  expect(seen["prompts"]).toContain("prompt");
  expect(seen["prompts"]?.filter((type) => type !== "prompt")).toEqual(seen["plain"]);
});

test("an `onEvent` that is not a function is an error that says what it may be", () => {
  const onEvent = [1] as never;
  expect(() => run({ adapter: mock(["Done."]), prompt: "Go.", onEvent })).toThrow(
    "a function, or a list of functions",
  );
});
