import { type Adapter, run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { afterEach, expect, test, vi } from "vitest";
import { countTimers } from "./count-timers.ts";
import { recoveries, runWatched } from "./tools.ts";

afterEach(() => void vi.useRealTimers());

const prompt = "Go.";
const fakeTimers = () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  return countTimers();
};

/**
 * A host that says so many things about a reply before it sends it, one a second; each such reply
 * may be given up.
 */
function withDelay(
  model: ReturnType<typeof mock>,
  said: readonly object[],
): Adapter & { readonly given: AbortSignal[] } {
  const given: AbortSignal[] = [];
  const open: Adapter["open"] = async (request, signal) => {
    given.push(signal);
    const reply = await model.open(request, signal);
    return (async function* () {
      for (const event of given.length === 1 ? said : []) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        yield [event];
      }
      yield* reply;
    })();
  };
  return { ...model, open, given };
}
const pings = Array(60).fill({ type: "meta", id: "r1" });
test("a reply without an event within firstEventMs is requested again, even if the host sends pings", async () => {
  const timers = fakeTimers();
  const adapter = withDelay(mock(["Never.", "Done."]), pings);
  const text = run({
    adapter,
    prompt,
    limits: { firstEventMs: 30_000, idleMs: 5000 },
    recovery: { maxWaitMs: 0 },
  }).text();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(adapter.given).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await text).toBe("Done.");
  expect(adapter.given[0]?.aborted).toBe(true);
  expect(timers()).toBe(0);
});

test("a host that never answers is abandoned after firstEventMs, and the summary says so", async () => {
  const timers = fakeTimers();
  const mute: Adapter = { ...mock([]), open: () => new Promise(() => undefined) };
  const outcome = run({
    adapter: mute,
    prompt,
    limits: { firstEventMs: 4000 },
    recovery: { requests: 1 },
  }).outcome();
  await vi.advanceTimersByTimeAsync(4000);
  expect(await outcome).toMatchObject({
    status: "failed",
    error: { kind: "timeout" },
    summary: expect.stringContaining("within 4 s"),
  });
  expect(timers()).toBe(0);
});

test("firstEventMs does not limit a reply that has begun, and leaves no timer", async () => {
  const timers = fakeTimers();
  for (const first of [
    { type: "thinking", text: "Hm." },
    { type: "text", text: "Well, " },
    { type: "native", data: {} },
  ]) {
    const adapter = withDelay(mock(["done."]), [first, ...pings]);
    const text = run({ adapter, prompt, limits: { firstEventMs: 2000 } }).text();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await text).toMatch(/done\.$/);
    expect(timers()).toBe(0);
  }
});

test("an empty text does not count as the first event", async () => {
  fakeTimers();
  const adapter = withDelay(mock(["Never.", "Done."]), [{ type: "text", text: "" }, ...pings]);
  const outcome = runWatched({ adapter, prompt, limits: { firstEventMs: 2000 } });
  await vi.advanceTimersByTimeAsync(2000);
  expect(recoveries((await outcome).events)).toEqual(["retry: interrupted"]);
});

test("an empty reply leaves no timer", async () => {
  const timers = fakeTimers();
  const empty: Adapter = {
    ...mock([]),
    open: async () =>
      (async function* () {
        yield [{ type: "meta", id: "r1" }];
      })(),
  };
  const outcome = await run({
    adapter: empty,
    prompt,
    limits: { firstEventMs: 4000 },
    recovery: { requests: 1 },
  }).outcome();
  expect(outcome).toMatchObject({ status: "failed", error: { kind: "cut" } });
  expect(timers()).toBe(0);
});

test("an abort before the first event is an abort", async () => {
  const timers = fakeTimers();
  const controller = new AbortController();
  const mute: Adapter = { ...mock([]), open: () => new Promise(() => undefined) };
  const outcome = run({
    adapter: mute,
    prompt,
    limits: { firstEventMs: 4000 },
    signal: controller.signal,
  }).outcome();
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort();
  expect((await outcome).status).toBe("aborted");
  expect(timers()).toBe(0);
});
