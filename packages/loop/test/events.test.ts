import { restoreTurn } from "@fullstop/core";
import { type RunEvent, type RunOptions, run } from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { memoryJournal } from "./memory.ts";
import { call, runScript } from "./script-run.ts";
import { eventsOfType, recorder } from "./tools.ts";

const types = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);
const look = recorder("look");
const cut = { calls: [{ name: "look", inputText: '{"a":' }], stop: "length" } as const;
const failing = { stop: "error" } as const;

test("a request, its first byte, the previews and the verdict come in this order, and `end` is last", async () => {
  const { events, outcome } = await runScript([call("look"), "Done."], [look]);
  expect(types(events)).toEqual([
    "request",
    "first-byte",
    "tool-input-start",
    "tool-input-delta",
    "tool-input-end",
    "turn",
    "tool-call",
    "tool-result",
    "request",
    "first-byte",
    "text",
    "turn",
    "end",
  ]);
  expect(eventsOfType(events, "end")[0]?.outcome).toEqual(outcome);
});

test("every event has the run, the turn and the time", async () => {
  const before = Date.now();
  const { events } = await runScript([call("look"), "Done."], [look], {
    journal: { store: memoryJournal(), runId: "r-7" },
  });
  const times = events.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times[0]).toBeGreaterThanOrEqual(before);
  expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
  for (const { runId, path } of events) expect([runId, path]).toEqual(["r-7", []]);
  const turnOf = events.map(({ type, turnNumber }) => `${type} ${turnNumber}`);
  expect(turnOf).toEqual(
    expect.arrayContaining(["request 1", "tool-result 1", "request 2", "text 2", "end 2"]),
  );
});

interface Asked {
  readonly name: string;
  readonly script: Script;
  readonly options?: Partial<RunOptions>;
  /** Turn, attempt, reason, cap and effort of each request. */
  readonly requests: readonly string[];
}
const asked: readonly Asked[] = [
  {
    name: "a larger cap",
    script: [cut, cut, call("look"), "Done."],
    options: { request: { maxTokens: 100, effort: "high" } },
    requests: [
      "1.1 undefined 100 high",
      "1.2 raise-cap 200 high",
      "1.3 raise-cap 400 high",
      "2.1 undefined 400 high",
    ],
  },
  {
    name: "less effort",
    script: [{ thinking: "Hm.", stop: "length" }, "Done."],
    requests: ["1.1 undefined undefined undefined", "1.2 less-effort undefined low"],
  },
  {
    name: "a retry",
    script: [failing, "Done."],
    requests: ["1.1 undefined undefined undefined", "1.2 retry undefined undefined"],
  },
  {
    name: "a text that continues",
    script: [{ text: "One ", stop: "length" }, "two."],
    requests: ["1.1 undefined undefined undefined", "2.1 continue undefined undefined"],
  },
  {
    name: "a note to the model",
    script: [cut, "Done."],
    options: { recovery: { requests: 1, notes: 1 } },
    requests: ["1.1 undefined undefined undefined", "2.1 tell-model undefined undefined"],
  },
  {
    name: "a paused turn",
    script: [{ text: "One ", stop: "pause" }, "two."],
    requests: ["1.1 undefined undefined undefined", "2.1 resume undefined undefined"],
  },
];
test.each(asked)("a request says what it asks for, and which recovery asks: $name", async (one) => {
  const { events, model } = await runScript(one.script, [look], one.options);
  const requests = eventsOfType(events, "request");
  expect(
    requests.map(
      ({ turnNumber, attempt, reason, maxTokens, effort }) =>
        `${turnNumber}.${attempt} ${reason} ${maxTokens} ${effort}`,
    ),
  ).toEqual(one.requests);
  expect(requests.map(({ maxTokens }) => maxTokens)).toEqual(
    model.requests.map(({ maxTokens }) => maxTokens),
  );
});

test("a request has the cap that is sent, also if it is that of the adapter", async () => {
  const caps = { default: 100, floor: 50, ceiling: 1000 };
  for (const [request, maxTokens, cap] of [
    [{}, undefined, 100],
    [{ maxTokens: 70 }, 70, 70],
    [{ maxTokens: 20 }, 20, 50],
  ] as const) {
    const model = mock(["Done."], { maxTokens: caps });
    const { events } = await runScript([], [], { adapter: model, request });
    expect(eventsOfType(events, "request")).toMatchObject([{ maxTokens, cap }]);
    expect(model.requests[0]?.maxTokens).toBe(cap);
  }
});

test("a request names the adapter that it goes to", async () => {
  const other = { ...mock(["Done."]), provider: "other", model: "two" };
  const { events } = await runScript([{ stop: "refusal" }], [], {
    recovery: { fallback: [{ adapter: other }] },
  });
  expect(eventsOfType(events, "request")).toMatchObject([
    { adapter: { provider: "mock", protocol: "mock", model: "mock" }, reason: undefined },
    { adapter: { provider: "other", protocol: "mock", model: "two" }, reason: "fallback" },
  ]);
});

test("a reply without a byte has no first byte", async () => {
  const refuse = () => {
    throw new Error("No.");
  };
  const { events } = await runScript([refuse], []);
  expect(types(events)).toEqual(["request", "turn", "end"]);
});

test("a replayed turn has no request and no first byte, and keeps what each rule found", async () => {
  const journal = { store: memoryJournal(), runId: "r" };
  const script: Script = [failing, call("look"), "Done."];
  const first = await runScript(script, [look], { journal });
  const again = await runScript([], [look], { journal });
  expect(types(again.events)).toEqual(["turn", "recovery", "turn", "tool-result", "turn", "end"]);
  const turns = eventsOfType(again.events, "turn");
  expect(turns.map(({ replayed }) => replayed)).toEqual([true, true, true]);
  expect(turns.map(({ turn }) => turn.rules)).toEqual(
    eventsOfType(first.events, "turn").map(({ turn }) => turn.rules),
  );
  expect(turns[0]?.turn.rules?.filter(({ decisive }) => decisive)).toMatchObject([
    { rule: "finished", passed: false, reason: "stop-reason" },
  ]);
  expect(turns[1]?.turn.rules?.every(({ passed }) => passed)).toBe(true);
});

test("a run that is resumed in the middle sends the request that is missing, with its reason", async () => {
  const store = memoryJournal();
  const journal = { store, runId: "r" };
  await runScript([failing, "Done."], [], { journal });
  const killed = memoryJournal(store.lines.slice(0, 2));
  const { events } = await runScript(["Done."], [], { journal: { store: killed, runId: "r" } });
  expect(eventsOfType(events, "request")).toMatchObject([{ attempt: 2, reason: "retry" }]);
});

test("a turn that `salvage` completed still says which rule the reply failed", async () => {
  const saving = {
    ...look,
    salvage: { first: true, continueWith: ["look"], input: () => ({ a: 1 }) },
  };
  const { events } = await runScript([cut, "Done."], [saving]);
  const [, completed] = eventsOfType(events, "turn");
  expect(completed?.turn.calls).toMatchObject([{ name: "look", by: "loop" }]);
  const decisive = { rule: "finished", passed: false, decisive: true, reason: "stop-reason" };
  expect(completed?.turn.rules).toContainEqual(decisive);
  const stored: unknown = JSON.parse(JSON.stringify(completed?.turn));
  expect(restoreTurn(stored).rules).toContainEqual(decisive);
});

test("`end` is the last event of an aborted run too, for observers and iterations", async () => {
  for (const type of ["request", "first-byte", "text", "turn"]) {
    const controller = new AbortController();
    const observed: string[] = [];
    const iterated: string[] = [];
    const model = mock([{ text: "Hello.", calls: [{ name: "look", input: {} }] }, "Done."]);
    const aborted = run({
      adapter: model,
      tools: [look],
      prompt: "Go.",
      signal: controller.signal,
      onEvent: (event) => {
        observed.push(event.type);
        if (event.type === type) controller.abort();
      },
    });
    for await (const event of aborted) iterated.push(event.type);
    expect((await aborted.outcome()).status).toBe("aborted");
    expect(iterated).toEqual(observed);
    expect(observed.filter((one) => one === "end")).toEqual(["end"]);
    expect(observed.at(-1)).toBe("end");
    if (type === "request") expect(model.requests).toEqual([]);
  }
});

test("no request is reported if the run is aborted before it", async () => {
  const { events } = await runScript([], [], { signal: AbortSignal.abort() });
  expect(types(events)).toEqual(["turn", "end"]);
});

test("a run that rejects has no `end`", async () => {
  const events: RunEvent[] = [];
  const beforeTurn = () => {
    throw new Error("No.");
  };
  const broken = run({
    adapter: mock([]),
    prompt: "Go.",
    beforeTurn,
    onEvent: (event) => events.push(event),
  });
  await expect(broken.outcome()).rejects.toThrow("No.");
  expect(events).toEqual([]);
});

test("an observer of `end` cannot change what the caller gets", async () => {
  const { outcome } = await runScript(["Done."], [], {
    onEvent: (event) => {
      if (event.type !== "end") return;
      expect(() => Object.assign(event.outcome, { status: "failed" })).toThrow(TypeError);
      expect(() => Object.assign(event.outcome.messages, { length: 0 })).toThrow(TypeError);
    },
  });
  expect(outcome).toMatchObject({ status: "done", text: "Done." });
  expect(outcome.observerError).toBeUndefined();
  expect(outcome.messages).toHaveLength(2);
});
