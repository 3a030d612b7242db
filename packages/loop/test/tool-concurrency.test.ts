import { validateHistory } from "@fullstop/core";
import type { RunOptions, Tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { calls, resultsIn } from "./script-run.ts";
import { recorder, runWatched } from "./tools.ts";

/** Tools whose calls take some turns of the event loop, and what ran at the same time. */
function watchedTools(limits: Readonly<Record<string, Partial<Tool>>>) {
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const started: string[] = [];
  let all = 0;
  let mostOfAll = 0;
  const tools = Object.entries(limits).map(([name, settings]) => {
    let count = 0;
    const work = async (): Promise<string> => {
      started.push(name);
      running.set(name, (running.get(name) ?? 0) + 1);
      most.set(name, Math.max(most.get(name) ?? 0, running.get(name) ?? 0));
      all += 1;
      mostOfAll = Math.max(mostOfAll, all);
      const result = `${name} ${++count}`;
      for (let tick = 0; tick < 20; tick++) await Promise.resolve();
      running.set(name, (running.get(name) ?? 0) - 1);
      all -= 1;
      return result;
    };
    return Object.assign(recorder(name, work), settings);
  });
  return { tools, started, most: (name: string) => most.get(name), mostOfAll: () => mostOfAll };
}
async function runCalls(
  names: readonly string[],
  tools: readonly Tool[],
  options: Partial<RunOptions> = {},
) {
  const { outcome } = await runWatched({
    adapter: mock([calls(...names), "Done."]),
    tools,
    prompt: "Go.",
    ...options,
  });
  expect(validateHistory(outcome.messages)).toEqual([]);
  return { outcome, results: resultsIn(outcome.messages) };
}
const times = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, () => name);

test("at most so many calls of a tool run at the same time, and their results are in order", async () => {
  const { tools, most } = watchedTools({ read: { concurrency: 2 } });
  const { results } = await runCalls(times(7, "read"), tools);
  expect(most("read")).toBe(2);
  expect(results).toEqual([1, 2, 3, 4, 5, 6, 7].map((count) => `read ${count}`));
});

test("other tools do not wait behind a tool whose limit is reached", async () => {
  const { tools, started, most } = watchedTools({ read: { concurrency: 1 }, look: {} });
  const names = [...times(3, "read"), ...times(3, "look")];
  const { results } = await runCalls(names, tools);
  expect(started).toEqual(["read", "look", "look", "look", "read", "read"]);
  expect([most("read"), most("look")]).toEqual([1, 3]);
  expect(results).toEqual(["read 1", "read 2", "read 3", "look 1", "look 2", "look 3"]);
});

test("a tool whose calls come last is not held back by slow calls of a limited one", async () => {
  const release = Promise.withResolvers<string>();
  const slow = Object.assign(
    recorder("slow", () => release.promise),
    { concurrency: 1 },
  );
  const look = recorder("look", () => {
    if (look.ran.length === 3) release.resolve("slept");
    return "seen";
  });
  const { outcome } = await runCalls([...times(4, "slow"), ...times(3, "look")], [slow, look], {
    limits: { concurrency: 2 },
  });
  expect(outcome.status).toBe("done");
  expect([slow.ran.length, look.ran.length]).toEqual([4, 3]);
});

test("the limit of the run holds for all tools together", async () => {
  const { tools, most, mostOfAll } = watchedTools({
    read: { concurrency: 5 },
    look: { concurrency: 2 },
  });
  await runCalls([...times(6, "read"), ...times(6, "look")], tools, {
    limits: { concurrency: 3 },
  });
  expect(mostOfAll()).toBe(3);
  expect(most("look")).toBeLessThanOrEqual(2);
});

test("without a limit of its own a tool has that of the run", async () => {
  const { tools, most } = watchedTools({ read: {} });
  await runCalls(times(6, "read"), tools, { limits: { concurrency: 4 } });
  expect(most("read")).toBe(4);
});

test("a limit of a tool does not let an exclusive tool run beside others", async () => {
  const { tools, started, mostOfAll } = watchedTools({
    read: { concurrency: 1 },
    write: { exclusive: true },
  });
  const { results } = await runCalls(["read", "read", "write", "read"], tools);
  expect(started).toEqual(["read", "read", "write", "read"]);
  expect(mostOfAll()).toBe(1);
  expect(results).toEqual(["read 1", "read 2", "write 1", "read 3"]);
});

test("a call that fails frees its place", async () => {
  const broken = Object.assign(
    recorder("broken", () => Promise.reject(new Error("no"))),
    { concurrency: 1 },
  );
  const { results } = await runCalls(times(3, "broken"), [broken]);
  expect(results).toEqual(times(3, "broken failed: no"));
});
