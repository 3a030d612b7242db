import { validateHistory } from "@fullstop/core";
import { jsonSchema, type RunEvent, type RunOptions, tool } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { memoryJournal } from "./memory.ts";
import { call, resultsIn } from "./script-run.ts";
import { eventsOfType, runWatched } from "./tools.ts";

type Execute = NonNullable<Parameters<typeof tool>[0]["execute"]>;
const build = (execute: Execute) =>
  tool({
    name: "build",
    description: "Builds it.",
    inputSchema: jsonSchema({ type: "object" }),
    execute,
  });

async function runBuild(execute: Execute, options: Partial<RunOptions> = {}, say = call("build")) {
  const { outcome, events } = await runWatched({
    adapter: mock([say, "Done."]),
    tools: [build(execute)],
    prompt: "Go.",
    ...options,
  });
  expect(validateHistory(outcome.messages)).toEqual([]);
  return { outcome, events, results: resultsIn(outcome.messages) };
}
const progressOf = (events: readonly RunEvent[]) =>
  eventsOfType(events, "tool-progress").map(({ progress }) => progress);

test("each yield is an event between the start and the result, and the returned value is the output", async () => {
  const { events, results } = await runBuild(async function* () {
    yield { done: 1, of: 2 };
    await Promise.resolve();
    yield "almost";
    return { built: true };
  });
  expect(results).toEqual(['{"built":true}']);
  expect(progressOf(events)).toEqual([{ done: 1, of: 2 }, "almost"]);
  const types = events.map(({ type }) => type).filter((type) => type.startsWith("tool-"));
  expect(types.slice(-4)).toEqual(["tool-call", "tool-progress", "tool-progress", "tool-result"]);
  const [started] = eventsOfType(events, "tool-call");
  for (const event of eventsOfType(events, "tool-progress")) expect(event.call).toBe(started?.call);
});

test("a generator that returns nothing has no output, and the result says why", async () => {
  const { results } = await runBuild(async function* () {
    yield 1;
  });
  expect(results).toEqual([
    "build finished. It has no output: its generator returned no value, and what it yielded was only shown as progress.",
  ]);
});

test("a generator may come later, and one that is not asynchronous works too", async () => {
  async function* steps() {
    yield 1;
    return "built";
  }
  function* now(): Generator<unknown, string> {
    yield 2;
    return "built at once";
  }
  const later = await runBuild(async () => steps());
  const atOnce = await runBuild(() => now());
  expect([...progressOf(later.events), ...progressOf(atOnce.events)]).toEqual([1, 2]);
  expect([...later.results, ...atOnce.results]).toEqual(["built", "built at once"]);
});

test("a result with an error, blocks and a context work as in a function", async () => {
  const { outcome } = await runBuild(async function* (_, { call: asked, idempotencyKey }) {
    yield asked.name;
    return { content: [{ type: "text", text: typeof idempotencyKey }], isError: true };
  });
  const result = outcome.messages.find(({ role }) => role === "tool")?.content[0];
  expect(result).toMatchObject({ content: [{ type: "text", text: "string" }], isError: true });
});

test("a generator that throws is an error result, and the run continues", async () => {
  const { outcome, events, results } = await runBuild(async function* () {
    yield 1;
    throw new Error("no disk");
  });
  expect(results).toEqual(["build failed: no disk"]);
  expect(progressOf(events)).toEqual([1]);
  expect(outcome.status).toBe("done");
});

test("an iterable that is only data is data", async () => {
  const list = { next: "page-2", items: [1] };
  expect((await runBuild(() => list)).results).toEqual(['{"next":"page-2","items":[1]}']);
});

test("an abort ends the generator at its yield, and its finally runs", async () => {
  const controller = new AbortController();
  const left = Promise.withResolvers<string>();
  const { outcome, events, results } = await runBuild(
    async function* () {
      try {
        yield "started";
        yield "never";
      } finally {
        left.resolve("left");
      }
    },
    {
      signal: controller.signal,
      onEvent: ({ type }) => {
        if (type === "tool-progress") controller.abort();
      },
    },
  );
  expect(await left.promise).toBe("left");
  expect(outcome.status).toBe("aborted");
  expect(progressOf(events)).toEqual(["started"]);
  expect(results).toEqual([expect.stringMatching(/^build had started when the run was aborted/)]);
  expect(eventsOfType(events, "tool-result")).toMatchObject([{ ran: true, inDoubt: true }]);
});

test("an abort calls return() at once, also while the next step is awaited", async () => {
  const controller = new AbortController();
  const called: string[] = [];
  const endless: AsyncGenerator<unknown, string> = {
    next: () => {
      called.push("next");
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    },
    return: () => {
      called.push("return");
      return new Promise(() => {});
    },
    throw: () => new Promise(() => {}),
    [Symbol.asyncIterator]: () => endless,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const { outcome } = await runBuild(() => endless, { signal: controller.signal });
  expect(outcome.status).toBe("aborted");
  expect(called).toEqual(["next", "return"]);
});

test("the run does not wait for a generator that hangs after an abort, nor for its finally", async () => {
  const controller = new AbortController();
  const { outcome } = await runBuild(
    async function* () {
      try {
        yield "started";
        await new Promise(() => {});
      } finally {
        await new Promise(() => {});
      }
    },
    {
      signal: controller.signal,
      onEvent: ({ type }) => {
        if (type === "tool-progress") queueMicrotask(() => controller.abort());
      },
    },
  );
  expect(outcome.status).toBe("aborted");
});

test("after the time limit nothing is reported, and what the generator throws then changes nothing", async () => {
  const release = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const slow = Object.assign(
    build(async function* (_, { signal }) {
      yield "started";
      try {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await release.promise;
        yield "late";
      } finally {
        left.resolve();
        // biome-ignore lint/correctness/noUnsafeFinally: the worst that a tool can do here
        throw new Error("late, too");
      }
    }),
    { timeoutMs: 5 },
  );
  const { outcome, events } = await runWatched({
    adapter: mock([call("build"), "Done."]),
    tools: [slow],
    prompt: "Go.",
    onEvent: ({ type }) => {
      if (type === "tool-result") release.resolve();
    },
  });
  await left.promise;
  expect(outcome.status).toBe("done");
  expect(progressOf(events)).toEqual(["started"]);
  expect(resultsIn(outcome.messages)).toEqual([
    expect.stringMatching(/^build did not finish within 0.005 s/),
  ]);
});

test("the notice about a salvaged call stands before the output of a generator", async () => {
  const cut: Say = { calls: [{ name: "build", inputText: '{"a' }], stop: "length" };
  const salvage = { continueWith: ["build"], first: true, input: () => ({}) };
  const steps = build(async function* () {
    yield "half";
    return "Built half.";
  });
  const { outcome, events } = await runWatched({
    adapter: mock([cut, "Done."]),
    tools: [Object.assign(steps, { salvage })],
    prompt: "Go.",
  });
  expect(progressOf(events)).toEqual(["half"]);
  expect(resultsIn(outcome.messages)[0]).toMatch(/^Your call of build was cut off.*Built half\.$/s);
});

test("a replayed call reports no progress", async () => {
  const journal = { store: memoryJournal(), runId: "r" };
  const steps: Execute = async function* () {
    yield 1;
    return "built";
  };
  await runBuild(steps, { journal });
  const again = await runBuild(steps, { journal, adapter: mock([]) });
  expect(progressOf(again.events)).toEqual([]);
  expect(again.results).toEqual(["built"]);
});
