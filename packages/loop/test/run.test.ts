import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { type Message, type RunEvent, run, tool, UnfinishedRun } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventsOfType, recorder } from "./tools.ts";

const prompt = "Do I need a coat in Oslo?";
const weather = tool({
  name: "weather",
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, celsius: 4 }),
});
const asksOnce = () =>
  mock([{ calls: [{ name: "weather", input: { city: "Oslo" } }] }, "Yes, a warm one."]);

test("an agent with one tool answers with text", async () => {
  const model = asksOnce();
  expect(await run({ adapter: model, tools: [weather], prompt }).text()).toBe("Yes, a warm one.");
  expect(model.requests[0]?.tools).toMatchObject([
    { name: "weather", inputSchema: { type: "object", required: ["city"] } },
  ]);
  model.assertDone();
});

test("the outcome holds the whole conversation, each call beside its result, and the next run can start from it", async () => {
  const outcome = await run({ adapter: asksOnce(), tools: [weather], prompt }).outcome();
  expect(outcome).toMatchObject({
    status: "done",
    turns: 2,
    usage: { input: 200, output: 40 },
    summary: "The model finished in 2 turns.",
  });
  expect(outcome.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  expect(outcome.messages[2]?.content).toMatchObject([
    { type: "tool-result", name: "weather", content: '{"city":"Oslo","celsius":4}' },
  ]);

  const next = mock(["Gladly."]);
  const stored = JSON.parse(JSON.stringify(outcome.messages)) as Message[];
  expect(await run({ adapter: next, messages: stored, prompt: "Thanks!" }).text()).toBe("Gladly.");
  expect(next.requests[0]?.messages).toEqual([...stored, { role: "user", content: "Thanks!" }]);
});

test("usage is the sum of all requests, with the cache if it is reported", async () => {
  const calls = [{ name: "weather", input: { city: "Oslo" } }];
  const model = mock([
    { calls, usage: { cacheWrite: 7 } },
    { calls, usage: { cacheRead: 50, cacheWrite: 1 } },
    { text: "Yes.", usage: { output: 3, cacheRead: 40 } },
  ]);
  const { usage } = await run({ adapter: model, tools: [weather], prompt }).outcome();
  expect(usage).toEqual({ input: 300, output: 43, cacheRead: 90, cacheWrite: 8 });
});

test("the iteration shows previews, the verdict of the gate, the calls and the results, in this order", async () => {
  const seen: RunEvent["type"][] = [];
  for await (const event of run({ adapter: asksOnce(), tools: [weather], prompt }))
    seen.push(event.type);
  expect(seen).toEqual([
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
});

test("no request is sent before the run starts", async () => {
  const model = asksOnce();
  const unused = run({ adapter: model, tools: [weather], prompt });
  await new Promise((resolve) => setImmediate(resolve));
  expect(model.requests).toEqual([]);
  await unused.outcome();
  expect(model.requests).toHaveLength(2);
});

test("a run happens once, however often its outcome is requested", async () => {
  const model = asksOnce();
  const agent = run({ adapter: model, tools: [weather], prompt });
  const count = async () => {
    let events = 0;
    for await (const _ of agent) events++;
    return events;
  };
  const [first, second, outcome, text] = await Promise.all([
    count(),
    count(),
    agent.outcome(),
    agent.text(),
  ]);
  expect([first, second]).toEqual([13, 13]);
  expect(outcome.text).toBe(text);
  expect(await agent.outcome()).toBe(outcome);
  expect(await count()).toBe(0);
  model.assertDone();
});

test("a consumer that awaits the outcome inside its iteration gets it, and then the rest of the events", async () => {
  const agent = run({ adapter: asksOnce(), tools: [weather], prompt });
  const seen: string[] = [];
  for await (const event of agent) {
    if (seen.length === 0) expect((await agent.outcome()).status).toBe("done");
    seen.push(event.type);
  }
  expect(seen).toHaveLength(13);
});

test("leaving the iteration early aborts the run: no request is sent and no call runs", async () => {
  const model = asksOnce();
  const spy = recorder("weather");
  const agent = run({ adapter: model, tools: [spy], prompt });
  for await (const event of agent) if (event.type === "tool-input-delta") break;
  expect((await agent.outcome()).status).toBe("aborted");
  expect(spy.ran).toEqual([]);
  expect(model.requests).toHaveLength(1);
});

test("text() rejects with the outcome if the answer is not complete", async () => {
  const answer = run({ adapter: mock([{ stop: "refusal" }]), prompt }).text();
  await expect(answer).rejects.toBeInstanceOf(UnfinishedRun);
  await expect(answer).rejects.toMatchObject({
    name: "UnfinishedRun",
    outcome: { status: "refused" },
    message: "The model declined to answer.",
  });
});

test("an unfinished run is printed as its summary, not as its whole conversation", async () => {
  const thrown = await run({ adapter: mock([{ text: "A long story", stop: "refusal" }]), prompt })
    .text()
    .catch((error: unknown) => error);
  const printed = inspect(thrown, { depth: 10 });
  expect(printed).toContain("UnfinishedRun: The model declined to answer.");
  expect(printed).toContain("status: 'refused'");
  expect(printed).not.toMatch(/outcome|messages|A long story|coat/);
  expect(JSON.stringify(thrown)).not.toContain("coat");
  expect((thrown as UnfinishedRun).outcome.text).toBe("A long story");
});

test("an observer that throws does not affect the run, and the outcome has its error", async () => {
  const spy = recorder("weather");
  let seen = 0;
  const broken = () => {
    throw new Error(`The screen is gone (${++seen}).`);
  };
  const outcome = await run({
    adapter: asksOnce(),
    tools: [spy],
    prompt,
    onEvent: broken,
  }).outcome();
  expect(outcome).toMatchObject({
    status: "done",
    observerError: new Error("The screen is gone (1)."),
  });
  expect(spy.ran).toHaveLength(1);
  expect(seen).toBeGreaterThan(3);
});

test("an observer whose promise rejects does not affect the run", async () => {
  const late = Promise.withResolvers<void>();
  const onEvent = async ({ type }: RunEvent) => {
    if (type === "tool-call") await late.promise;
    if (type !== "tool-input-delta") throw new Error(`No ${type} today.`);
  };
  const outcome = await run({ adapter: asksOnce(), tools: [weather], prompt, onEvent }).outcome();
  expect(outcome).toMatchObject({
    status: "done",
    observerError: new Error("No request today."),
  });
  late.resolve();
  await new Promise((resolve) => setImmediate(resolve));
});

test("the iteration can be left while it waits for its next event", async () => {
  let told = false;
  const started = Promise.withResolvers<void>();
  const forever = recorder("weather", (_, { signal }) => {
    signal.addEventListener("abort", () => (told = true));
    started.resolve();
    return new Promise(() => undefined);
  });
  const agent = run({ adapter: asksOnce(), tools: [forever], prompt });
  const events = agent[Symbol.asyncIterator]();
  for (let seen = ""; seen !== "tool-call"; ) seen = (await events.next()).value?.type ?? "";
  const pending = events.next();
  await started.promise;
  await events.return?.();
  expect(told).toBe(true);
  expect((await agent.outcome()).status).toBe("aborted");
  await pending;
});

test("calls of next() that wait together get the events in order, and then the end", async () => {
  const events = run({ adapter: mock(["Hello."]), prompt })[Symbol.asyncIterator]();
  const results = await Promise.all(Array.from({ length: 40 }, () => events.next()));
  const types = results.map(({ value }) => value?.type);
  expect(types[0]).toBe("request");
  expect(types.indexOf("end")).toBe(types.indexOf(undefined) - 1);
  expect(results.findIndex(({ done }) => done)).toBe(types.indexOf(undefined));
});

test("an iteration that never began does not start or abort a run", async () => {
  const model = asksOnce();
  const agent = run({ adapter: model, tools: [weather], prompt });
  await agent[Symbol.asyncIterator]().return?.();
  expect(model.requests).toEqual([]);
  expect((await agent.outcome()).status).toBe("done");
});

test("the caller's signal has one listener while the run lasts and none afterwards, however it ends", async () => {
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, "abort").length;
  let during = 0;
  const spy = recorder("weather", () => {
    during = listeners();
    return "ok";
  });
  const twice = { calls: [{ name: "weather", input: {} }] };
  for (const last of ["Done.", { stop: "error" as const }, { stop: "length" as const }]) {
    await run({ adapter: mock([twice, last, last, last]), tools: [spy], prompt, signal }).outcome();
    expect(during).toBe(1);
    expect(listeners()).toBe(0);
  }
  for await (const event of run({ adapter: mock([twice]), tools: [spy], prompt, signal }))
    if (event.type === "turn") break;
  expect(listeners()).toBe(0);
});

test("no request is sent if the signal is already aborted", async () => {
  const model = asksOnce();
  const outcome = await run({
    adapter: model,
    tools: [weather],
    prompt,
    signal: AbortSignal.abort(),
  }).outcome();
  expect(outcome).toMatchObject({
    status: "aborted",
    messages: [{ role: "user", content: prompt }],
  });
  expect(model.requests).toEqual([]);
});

test("a forced tool choice applies to the first turn only", async () => {
  const model = asksOnce();
  await run({
    adapter: model,
    tools: [weather],
    prompt,
    request: { toolChoice: "required" },
  }).outcome();
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["required", "auto"]);
  const barred = asksOnce();
  await run({
    adapter: barred,
    tools: [weather],
    prompt,
    request: { toolChoice: "none" },
  }).outcome();
  expect(barred.requests.map(({ toolChoice }) => toolChoice)).toEqual(["none", "none"]);
});

test("system, effort, cache and cap reach every request", async () => {
  const model = asksOnce();
  await run({
    adapter: model,
    tools: [weather],
    prompt,
    system: "Be brief.",
    request: { effort: "low", cache: "off", maxTokens: 900 },
  }).outcome();
  for (const request of model.requests)
    expect(request).toMatchObject({
      system: "Be brief.",
      effort: "low",
      cache: "off",
      maxTokens: 900,
    });
});

test("a native tool is passed on unchanged", async () => {
  const search = { provider: "mock", definition: { type: "web_search" }, name: "web_search" };
  const model = mock(["Found."]);
  await run({ adapter: model, tools: [search, weather], prompt }).outcome();
  expect(model.requests[0]?.tools).toMatchObject([search, { name: "weather" }]);
});

const shell = { description: "", execute: () => "ok" };
const orphan: Message[] = [
  {
    role: "assistant",
    content: [{ type: "tool-call", id: "c1", name: "weather", inputText: "{}" }],
  },
];
test.each([
  ["Nothing to answer", {}],
  ["Nothing to answer", { messages: [] }],
  ["`prompt` is empty", { prompt: "" }],
  ['Two tools have the name "weather"', { prompt, tools: [weather, recorder("weather")] }],
  [
    'Two tools have the name "weather"',
    { prompt, tools: [weather, { provider: "mock", definition: {}, name: "weather" }] },
  ],
  ["A tool needs a `name`", { prompt, tools: [recorder(" ")] }],
  ["`limits.turns` must be a whole number, at least 1, not 0", { prompt, limits: { turns: 0 } }],
  [
    "`limits.turns` must be a whole number, at least 1, not 1.5",
    { prompt, limits: { turns: 1.5 } },
  ],
  [
    "`request.maxTokens` must be a whole number, at least 1",
    { prompt, request: { maxTokens: -1 } },
  ],
  ["`limits.idleMs` must be more than 0", { prompt, limits: { idleMs: Number.NaN } }],
  ["message 0 (call c1): call-without-result", { messages: orphan }],
  ["message 0 (call c1): call-without-result", { messages: orphan, prompt }],
  [
    '`request.toolChoice` names "read", which is not in `tools`',
    { prompt, request: { toolChoice: { name: "read" } } },
  ],
  [
    '`request.toolChoice: "required"` requires `tools`',
    { prompt, request: { toolChoice: "required" as const } },
  ],
])("run throws at once: %s", (sentence, options) => {
  expect(() => run({ adapter: mock([]), ...options })).toThrow(sentence);
});

test.each<[string, object]>([
  ['The schema of tool "run" must describe an object', { inputSchema: z.array(z.string()) }],
  [
    'The schema of tool "run" cannot be converted to JSON Schema',
    { inputSchema: z.object({ at: z.date() }) },
  ],
  ['Tool "run" needs an `inputSchema`', { inputSchema: undefined }],
  ["Unknown option `tool.exec`", { exec: () => "" }],
  ["Did you mean `tool.inputSchema`?", { parameters: z.object({}) }],
])("tool throws at once: %s", (sentence, changed) => {
  expect(() => tool({ ...shell, name: "run", ...changed } as never)).toThrow(sentence);
});

test("an invalid adapter is an error at once", () => {
  for (const adapter of [() => mock([]), "claude-sonnet-5-5", { ...mock([]), contract: 2 }])
    expect(() => run({ adapter: adapter as never, prompt })).toThrow(
      '`adapter` must be an adapter, such as `anthropic("claude-sonnet-5-5")` returns',
    );
});

test("a slow consumer gets the events of two turns in their order", async () => {
  const kept: string[] = [];
  for await (const event of run({ adapter: asksOnce(), tools: [weather], prompt })) {
    await new Promise((resolve) => setImmediate(resolve));
    kept.push(event.type);
  }
  expect(kept.filter((type) => type === "turn")).toHaveLength(2);
  expect(kept.indexOf("tool-result")).toBeLessThan(kept.indexOf("text"));
});

test("every turn event has the turn that joined the history", async () => {
  const events: RunEvent[] = [];
  const outcome = await run({
    adapter: asksOnce(),
    tools: [weather],
    prompt,
    onEvent: (event) => events.push(event),
  }).outcome();
  const turns = eventsOfType(events, "turn");
  expect(turns.map(({ kept }) => kept)).toEqual([true, true]);
  expect(turns.map(({ turn }) => turn.message)).toEqual(
    outcome.messages.filter(({ role }) => role === "assistant"),
  );
});
