import { type Adapter, run } from "@fullstop/loop";
import { type Mock, mock, type Say } from "@fullstop/provider-mock";
import { afterEach, expect, test, vi } from "vitest";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

afterEach(() => void vi.useRealTimers());

const prompt = "Clean up.";
const recovery = { maxWaitMs: 0 };
const complete = [{ name: "remove", input: { path: "/" } }];
const done = { calls: [{ name: "remove", input: { path: "a.log" } }] };

/** The model behind a host that first fails in these ways. */
const withFailures = (
  model: Mock,
  failures: readonly unknown[],
): Adapter & { readonly asked: () => number } => {
  let asked = 0;
  const open: Adapter["open"] = async (request, signal) => {
    const failure = failures[asked++];
    if (failure !== undefined) throw failure;
    return model.open(request, signal);
  };
  return { ...model, open, asked: () => asked };
};
const httpError = (code: number, headers = {}) =>
  Object.assign(new Error(`HTTP ${code}`), { status: code, headers });

test("after a lost connection the same request is sent again, and the previews are void", async () => {
  const model = mock([{ text: "I rem", calls: complete, stop: null }, done, "Done."]);
  const remove = recorder("remove");
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [remove],
    prompt,
    request: { maxTokens: 1000 },
  });
  expect(recoveries(events)).toEqual(["retry: interrupted"]);
  expect(eventsOfType(events, "turn").map(({ kept }) => kept)).toEqual([false, true, true]);
  expect(model.requests[1]).toEqual(model.requests[0]);
  expect(remove.ran).toEqual([{ path: "a.log" }]);
  expect(outcome).toMatchObject({ status: "done", turns: 2, usage: { input: 300 } });
});

test("a turn costs at most three requests over all causes, and the next turn has three again", async () => {
  const dropped: Say = { text: "Half", stop: null };
  const model = mock([dropped, dropped, done, dropped, dropped, dropped]);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [recorder("remove")],
    prompt,
  });
  expect(outcome).toMatchObject({ status: "failed", turns: 2, error: { kind: "cut" } });
  expect(outcome.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(recoveries(events)).toEqual(Array(4).fill("retry: interrupted"));
  model.assertDone();

  const cut: Say = {
    calls: [{ name: "remove", inputText: "{" }],
    stop: "length",
    usage: { output: 100 },
  };
  const mixed = mock([dropped, cut, dropped, "never"], {
    maxTokens: { default: 100, ceiling: 9000 },
  });
  expect(
    await run({ adapter: mixed, tools: [recorder("remove")], prompt }).outcome(),
  ).toMatchObject({
    status: "failed",
    error: { kind: "cut" },
  });
  expect(mixed.requests.map(({ maxTokens }) => maxTokens)).toEqual([100, 100, 200]);
});

test("no request is sent a fourth time", async () => {
  const dropped: Say = { text: "Half", stop: null };
  const ends = [
    [{ thinking: "Hm.", stop: "length" }, "truncated"],
    ["", "done"],
    [dropped, "failed"],
  ] as const;
  for (const [last, status] of ends) {
    const model = mock([dropped, dropped, last]);
    expect((await run({ adapter: model, prompt, recovery }).outcome()).status).toBe(status);
    model.assertDone();
  }
});

test("a transient failure is retried, a permanent one is not", async () => {
  for (const code of [429, 500, 503, 529]) {
    const model = withFailures(mock(["Done."]), [httpError(code)]);
    expect(await run({ adapter: model, prompt, recovery }).text()).toBe("Done.");
    expect(model.asked()).toBe(2);
  }
  for (const [code, kind] of [
    [400, "invalid-request"],
    [401, "auth"],
    [402, "billing"],
  ] as const) {
    const model = withFailures(mock([]), [httpError(code)]);
    expect(await run({ adapter: model, prompt }).outcome()).toMatchObject({
      status: "failed",
      error: { kind, status: code },
    });
    expect(model.asked()).toBe(1);
  }
});

test("the loop waits as long as the provider asks, and at most half a second more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const model = withFailures(mock(["Done."]), [httpError(429, { "retry-after": "7" })]);
  const text = run({ adapter: model, prompt }).text();
  await vi.advanceTimersByTimeAsync(6999);
  expect(model.asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(501);
  expect(await text).toBe("Done.");
});

test("without a requested wait the longest wait doubles, with jitter", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const waits: number[][] = [[], []];
  for (let round = 0; round < 30; round++) {
    const model = withFailures(mock(["Done."]), [httpError(503), httpError(503)]);
    let last = Date.now();
    const onEvent = ({ type }: { type: string }) => {
      if (type !== "turn") return;
      waits[model.asked() - 2]?.push(Date.now() - last);
      last = Date.now();
    };
    const text = run({ adapter: model, prompt, onEvent }).text();
    await vi.runAllTimersAsync();
    expect(await text).toBe("Done.");
  }
  const [first = [], second = []] = waits;
  expect(Math.max(...first)).toBeLessThan(500);
  expect(Math.max(...second)).toBeLessThan(1000);
  expect(Math.max(...second)).toBeGreaterThan(500);
  expect(new Set(first).size).toBeGreaterThan(1);
});

test("a wait of more than a minute ends the run", async () => {
  const model = withFailures(mock([]), [httpError(429, { "retry-after": "3600" })]);
  const outcome = await run({ adapter: model, prompt }).outcome();
  expect(outcome).toMatchObject({
    status: "failed",
    error: { kind: "rate-limit", retryAfterMs: 3_600_000 },
  });
});

test("an abort ends a wait at once", async () => {
  const controller = new AbortController();
  const model = withFailures(mock([]), [httpError(429, { "retry-after": "59" })]);
  const onEvent = (event: { type: string }) =>
    event.type === "recovery" && setImmediate(() => controller.abort());
  const outcome = await run({
    adapter: model,
    prompt,
    signal: controller.signal,
    onEvent,
  }).outcome();
  expect(outcome.status).toBe("aborted");
  expect(model.asked()).toBe(1);
});

test("a full context window fails at once, with its kind", async () => {
  const model = withFailures(mock([]), [
    { status: 400, error: { message: "prompt is too long: 210000 tokens" } },
  ]);
  const outcome = await run({ adapter: model, prompt, recovery }).outcome();
  expect(outcome).toMatchObject({
    status: "failed",
    error: { kind: "context-window" },
    turn: { stopReason: "context-window" },
  });
  expect(model.asked()).toBe(1);
});
