import { getEventListeners } from "node:events";
import { validateHistory } from "@fullstop/core";
import {
  type Adapter,
  type Message,
  type Outcome,
  type RunOptions,
  run,
  type Usage,
} from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { afterEach, expect, test, vi } from "vitest";
import { countTimers } from "./count-timers.ts";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

afterEach(() => void vi.useRealTimers());

const prompt = "Clean up.";
const remove = (...paths: readonly string[]): Say => ({
  calls: paths.map((path) => ({ name: "remove", input: { path } })),
});
const resultsIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === "tool" ? message.content : []));

/** The conversation is whole, and goes on. */
async function canContinue({ messages }: Outcome) {
  expect(validateHistory(messages)).toEqual([]);
  expect(await run({ adapter: mock(["Hello."]), messages, prompt: "And now?" }).text()).toBe(
    "Hello.",
  );
}

test("if a turn exceeds the limit of calls, all its calls get a result and none runs", async () => {
  const tool = recorder("remove");
  const model = mock([remove("a"), remove("b"), remove("c", "d"), "Never."]);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [tool],
    prompt,
    limits: { toolCalls: 3 },
  });
  expect(outcome).toMatchObject({
    status: "limit",
    limit: "toolCalls",
    turns: 3,
    summary: expect.stringContaining("limit of 3 tool calls"),
  });
  expect(tool.ran).toEqual([{ path: "a" }, { path: "b" }]);
  expect(resultsIn(outcome.messages).slice(2)).toMatchObject(
    Array(2).fill({
      isError: true,
      content: expect.stringContaining("limit of 3 tool calls"),
    }),
  );
  expect(eventsOfType(events, "tool-result")).toHaveLength(4);
  expect(recoveries(events)).toEqual([]);
  expect(model.requests).toHaveLength(3);
  await canContinue(outcome);
});

test("a run may use all of its calls and then answer", async () => {
  const tool = recorder("remove");
  const { outcome } = await runWatched({
    adapter: mock([remove("a", "b"), "Done."]),
    tools: [tool],
    prompt,
    limits: { toolCalls: 2 },
  });
  expect(outcome).toMatchObject({ status: "done", text: "Done." });
  expect(tool.ran).toHaveLength(2);
});

test("the reply that reaches the limit of output tokens is the last one, and its calls get results", async () => {
  const tool = recorder("remove");
  const model = mock([remove("a"), { ...remove("b"), usage: { output: 30 } }, "Never."]);
  const { outcome } = await runWatched({
    adapter: model,
    tools: [tool],
    prompt,
    limits: { outputTokens: 50 },
  });
  expect(outcome).toMatchObject({
    status: "limit",
    limit: "outputTokens",
    usage: { output: 50 },
    summary: expect.stringContaining("limit of 50 output tokens"),
  });
  expect(tool.ran).toEqual([{ path: "a" }]);
  await canContinue(outcome);
});

test("a reply without calls that reaches a limit is still the answer", async () => {
  const outcome = await run({
    adapter: mock(["Done."]),
    prompt,
    limits: { outputTokens: 1, cost: 0.001, price: () => 1 },
  }).outcome();
  expect(outcome).toMatchObject({ status: "done", text: "Done.", cost: 1 });
});

test("no recovery is tried after the token limit is reached", async () => {
  const cut: Say = {
    text: "I remove",
    calls: [{ name: "remove", inputText: '{"pa' }],
    stop: "length",
  };
  const remedies: readonly (readonly [Say, Partial<RunOptions>])[] = [
    [cut, { request: { maxTokens: 20 } }],
    [cut, {}],
    [{ text: "One, two", stop: "length" }, {}],
    [{ thinking: "Hm.", stop: "length" }, {}],
    [{ text: "Half", stop: null }, {}],
    [{ calls: [{ name: "remove", inputText: "}" }] }, {}],
    [{ text: "", stop: "pause" }, {}],
    [{ text: "", stop: "stop" }, {}],
  ];
  for (const [step, options] of remedies) {
    const model = mock([step, "Never."]);
    const { outcome, events } = await runWatched({
      adapter: model,
      tools: [recorder("remove")],
      prompt,
      ...options,
      limits: { outputTokens: 20 },
    });
    expect(outcome).toMatchObject({ status: "limit", limit: "outputTokens" });
    expect(recoveries(events)).toEqual([]);
    expect(model.requests).toHaveLength(1);
    await canContinue(outcome);
  }
});

test("the last turn may be retried like any other", async () => {
  const model = mock([{ text: "Half", stop: null }, "Done."]);
  expect(await run({ adapter: model, prompt, limits: { turns: 1 } }).text()).toBe("Done.");
});

test("no call is salvaged after the limit of calls is reached", async () => {
  const salvage = { continueWith: ["remove"], input: () => ({}) };
  const tool = Object.assign(recorder("remove"), { salvage });
  const cut: Say = {
    text: "I remove",
    calls: [{ name: "remove", inputText: '{"pa' }],
    stop: "length",
  };
  const model = mock([remove("a"), cut, cut, cut]);
  const outcome = await run({
    adapter: model,
    tools: [tool],
    prompt,
    limits: { toolCalls: 1 },
  }).outcome();
  expect(outcome).toMatchObject({
    status: "limit",
    limit: "toolCalls",
    turn: { stopReason: "length" },
  });
  expect(resultsIn(outcome.messages)).toHaveLength(1);
  expect(tool.ran).toHaveLength(1);
});

test("a reply before the deadline is the answer, even if an observer is slower than the deadline", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const onEvent = (event: { type: string }) =>
    event.type === "turn" && vi.advanceTimersByTime(5000);
  expect(
    await run({ adapter: mock(["Done."]), prompt, limits: { deadlineMs: 5000 }, onEvent }).text(),
  ).toBe("Done.");
});

test("discarded replies count for the limits", async () => {
  const model = mock([{ text: "Half", stop: null }, remove("a"), "Never."]);
  const outcome = await run({
    adapter: model,
    tools: [recorder("remove")],
    prompt,
    limits: { outputTokens: 40 },
  }).outcome();
  expect(outcome).toMatchObject({ status: "limit", limit: "outputTokens", usage: { output: 40 } });
});

test("outcome.cost is the sum of price, and limits.cost limits the run", async () => {
  const tool = recorder("remove");
  const seen: unknown[] = [];
  const price = ({ input, output }: Usage, { model }: Pick<Adapter, "model">) => {
    seen.push(model);
    return (input * 3 + output * 15) / 1000;
  };
  const model = mock([remove("a"), remove("b"), "Never."]);
  const { outcome } = await runWatched({
    adapter: model,
    tools: [tool],
    prompt,
    limits: { cost: 1.2, price },
  });
  expect(outcome).toMatchObject({
    status: "limit",
    limit: "cost",
    cost: 1.2,
    summary: expect.stringContaining("cost limit of 1.2"),
  });
  expect(tool.ran).toEqual([{ path: "a" }]);
  expect(seen).toEqual(["mock", "mock"]);
  await canContinue(outcome);
  const free = await run({ adapter: mock(["Done."]), prompt }).outcome();
  expect("cost" in free).toBe(false);
});

test("a price that does not return a number is an error", async () => {
  for (const wrong of [Number.NaN, -1]) {
    await expect(
      run({ adapter: mock(["Done."]), prompt, limits: { price: () => wrong } }).outcome(),
    ).rejects.toThrow("`limits.price` must return a number");
  }
});

test("limits that cannot be kept are an error at once", () => {
  const adapter = mock([]);
  expect(() => run({ adapter, prompt, limits: { cost: 1 } })).toThrow(
    "`limits.cost` requires `limits.price`",
  );
  for (const limits of [
    { turns: 0 },
    { toolCalls: 1.5 },
    { outputTokens: -1 },
    { cost: 0 },
    { deadlineMs: Number.NaN },
  ]) {
    expect(() => run({ adapter, prompt, limits: { ...limits, price: () => 0 } })).toThrow(
      /`limits\.\w+` must be/,
    );
  }
  // @ts-expect-error a limit that nobody keeps
  expect(() => run({ adapter, prompt, limits: { toolcalls: 3 } })).toThrow(
    "Unknown option `limits.toolcalls`. Did you mean `limits.toolCalls`?",
  );
});

test("the deadline aborts a reply in progress, keeps its text, and the summary says so", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const model = mock([{ text: "I begin", ...remove("a") }]);
  const controller = new AbortController();
  let stopped: AbortSignal | undefined;
  const slow: Adapter = {
    ...model,
    open: async (request, signal) => {
      stopped = signal;
      const [first] = [{ type: "text", text: "I begin" }];
      await model.open(request, signal);
      return (async function* () {
        yield [first];
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
      })();
    },
  };
  const { signal } = controller;
  const ending = run({
    adapter: slow,
    tools: [recorder("remove")],
    prompt,
    limits: { deadlineMs: 5000 },
    signal,
  }).outcome();
  await vi.advanceTimersByTimeAsync(4999);
  expect(stopped?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  const outcome = await ending;
  expect(outcome).toMatchObject({
    status: "limit",
    limit: "deadlineMs",
    text: "I begin",
    summary: "The run reached its deadline of 5 s while it waited for the model.",
  });
  expect(stopped?.aborted).toBe(true);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  await canContinue(outcome);
});

test("the deadline reaches a tool through its signal; calls that had not started do not", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const reasons: unknown[] = [];
  const hang = recorder("hang", (_, { signal }) => {
    signal.addEventListener("abort", () => reasons.push(signal.reason));
    return new Promise(() => undefined);
  });
  const after = recorder("after");
  const calls = [
    { name: "hang", input: {} },
    { name: "after", input: {} },
  ];
  const ending = run({
    adapter: mock([{ calls }]),
    tools: [{ ...hang, exclusive: true }, after],
    prompt,
    limits: { deadlineMs: 5000 },
  });
  const outcome = ending.outcome();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await outcome).toMatchObject({
    status: "limit",
    limit: "deadlineMs",
    summary: "The run reached its deadline of 5 s while tools ran.",
  });
  expect(reasons).toMatchObject([
    { name: "TimeoutError", message: "The run did not end within 5000 ms." },
  ]);
  expect(hang.ran).toHaveLength(1);
  expect(after.ran).toEqual([]);
  expect(resultsIn((await outcome).messages)).toMatchObject([
    {
      content: expect.stringMatching(
        /^hang had started when the deadline of the run was reached\. .*outcome is unknown/,
      ),
    },
    {
      isError: true,
      content: "after was not run: the deadline of the run was reached before it started.",
    },
  ]);
  await canContinue(await outcome);
});

test("the deadline ends a wait between attempts", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let asked = 0;
  const busy: Adapter = {
    ...mock([]),
    open: async () => {
      asked++;
      throw { status: 429, headers: { "retry-after": "30" } };
    },
  };
  const ending = run({ adapter: busy, prompt, limits: { deadlineMs: 1000 } }).outcome();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await ending).toMatchObject({ status: "limit", limit: "deadlineMs" });
  expect(asked).toBe(1);
});

test("an abort by the caller is not a deadline, and a run that ends in time leaves no timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const timers = countTimers();
  const signal = AbortSignal.abort();
  expect(
    await run({ adapter: mock([]), prompt, limits: { deadlineMs: 1000 }, signal }).outcome(),
  ).toMatchObject({ status: "aborted" });
  expect(await run({ adapter: mock(["Done."]), prompt, limits: { deadlineMs: 1000 } }).text()).toBe(
    "Done.",
  );
  expect(timers()).toBe(0);
});

test("a deadline longer than a timer can wait works", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const month = 30 * 24 * 3600 * 1000;
  const hang: Adapter = { ...mock([]), open: () => new Promise(() => undefined) };
  const ending = run({
    adapter: hang,
    prompt,
    limits: { deadlineMs: month, idleMs: Number.POSITIVE_INFINITY },
  }).outcome();
  const early = await Promise.race([
    ending,
    vi.advanceTimersByTimeAsync(month - 1).then(() => "waiting"),
  ]);
  expect(early).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);
  expect(await ending).toMatchObject({ status: "limit", limit: "deadlineMs" });
});
