import { getEventListeners } from "node:events";
import { type RunOptions, run, type Tool, type ToolResultBlock } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { afterEach, expect, test, vi } from "vitest";
import { countTimers } from "./count-timers.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const turnLater = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Tools that note who runs beside whom. */
function createTools(names: readonly string[], options: Partial<Tool> = {}) {
  const running = new Set<string>();
  const seen: string[] = [];
  let most = 0;
  const tools = names.map((name) =>
    recorder(name, async ({ n }) => {
      const mark = `${name}${n}`;
      running.add(mark);
      seen.push([...running].toSorted().join("+"));
      most = Math.max(most, running.size);
      await turnLater();
      await turnLater();
      running.delete(mark);
      return mark;
    }),
  );
  return { tools: tools.map((tool) => ({ ...tool, ...options })), seen, most: () => most };
}
const numberedCalls = (names: readonly string[]) =>
  names.map((name, n) => ({ name, input: { n } }));

async function runCalls(
  tools: readonly Tool[],
  names: readonly string[],
  options: Partial<RunOptions> = {},
) {
  const model = mock([{ calls: numberedCalls(names) }, "Done."]);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools,
    prompt: "Go.",
    ...options,
  });
  const results = outcome.messages.find(({ role }) => role === "tool")
    ?.content as readonly ToolResultBlock[];
  return { outcome, events, results };
}

test.each([
  [undefined, 8],
  [1, 1],
  [3, 3],
  [100, 20],
])(
  "of 20 calls in a turn, with a concurrency of %s at most %i run at the same time, and each runs once",
  async (concurrency, most) => {
    const { tools, most: seen } = createTools(["read"]);
    const { results } = await runCalls(tools, Array<string>(20).fill("read"), {
      limits: { concurrency },
    });
    expect(seen()).toBe(most);
    expect(results.map(({ content }) => content)).toEqual(
      Array.from({ length: 20 }, (_, n) => `read${n}`),
    );
  },
);

test("calls start in their order even if they have to wait", async () => {
  const { tools } = createTools(["read"]);
  const { events } = await runCalls(tools, Array<string>(9).fill("read"), {
    limits: { concurrency: 2 },
  });
  expect(eventsOfType(events, "tool-call").map(({ call }) => call.input["n"])).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8,
  ]);
});

test("an exclusive tool runs alone: calls before it end first, calls after it start later, and results keep the order of the calls", async () => {
  const { tools, seen } = createTools(["read", "write"]);
  const mixed = tools.map((tool) => ({ ...tool, exclusive: tool.name === "write" }));
  const { results } = await runCalls(mixed, ["read", "read", "write", "write", "read", "read"]);
  expect(seen).toEqual(["read0", "read0+read1", "write2", "write3", "read4", "read4+read5"]);
  expect(results.map(({ content }) => content)).toEqual([
    "read0",
    "read1",
    "write2",
    "write3",
    "read4",
    "read5",
  ]);
});

test("a denied call of an exclusive tool does not delay other calls", async () => {
  const { tools, seen } = createTools(["read"]);
  const never = { ...recorder("write"), exclusive: true, inputSchema: invalidInput() };
  const { results } = await runCalls([...tools, never], ["read", "write", "read"]);
  expect(seen).toEqual(["read0", "read0+read2"]);
  expect(results.map(({ isError }) => isError)).toEqual([undefined, true, undefined]);
});
const invalidInput = () => ({
  "~standard": {
    ...recorder("any").inputSchema["~standard"],
    validate: () => ({ issues: [{ message: "never" }] }),
  },
});

test("at its time limit the signal of a tool aborts, and the model learns that the outcome is unknown", async () => {
  vi.useFakeTimers();
  let told: AbortSignal | undefined;
  const slow: Tool<Record<string, unknown>> = {
    ...recorder("slow", (_, { signal }) => {
      told = signal;
      return new Promise(() => {});
    }),
    timeoutMs: 1500,
  };
  const playing = runCalls([slow, recorder("fast")], ["slow", "fast"]);
  await vi.advanceTimersByTimeAsync(1499);
  expect(told?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  const { outcome, results } = await playing;
  expect(told?.reason).toMatchObject({ name: "TimeoutError" });
  expect(results).toMatchObject([
    {
      isError: true,
      content: expect.stringMatching(/^slow did not finish within 1.5 s.*outcome is unknown/),
    },
    { content: "ok" },
  ]);
  expect(outcome.status).toBe("done");
});

test("the default time limit is 120 s, and Infinity means no limit", async () => {
  vi.useFakeTimers();
  const timers = countTimers();
  const hangs = (timeoutMs?: number): Tool<Record<string, unknown>> => ({
    ...recorder("hangs", () => new Promise(() => {})),
    timeoutMs,
  });
  const standard = runCalls([hangs()], ["hangs"]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect((await standard).results[0]?.content).toContain("did not finish within 120 s");

  const controller = new AbortController();
  const patient = runCalls([hangs(Number.POSITIVE_INFINITY)], ["hangs"], {
    signal: controller.signal,
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(timers()).toBe(0);
  controller.abort();
  expect((await patient).results[0]?.content).toContain("had started when the run was aborted");
});

test("a tool leaves no timer and no listener behind, however it ends", async () => {
  vi.useFakeTimers();
  const timers = countTimers();
  const signals: AbortSignal[] = [];
  const ends = recorder("ends", (_, { signal }) => {
    signals.push(signal);
    return "ok";
  });
  const throws = recorder("throws", () => {
    throw new Error("No.");
  });
  const { signal } = new AbortController();
  await runCalls([ends, throws], ["ends", "throws", "ends"], { signal });
  expect(timers()).toBe(0);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
});

test("a time limit ends one tool and neither its neighbours nor the run", async () => {
  vi.useFakeTimers();
  const signals = new Map<string, AbortSignal>();
  const note = (name: string, timeoutMs: number): Tool<Record<string, unknown>> => ({
    ...recorder(name, (_, { signal }) => {
      signals.set(name, signal);
      return new Promise((resolve) => setTimeout(() => resolve(name), 50));
    }),
    timeoutMs,
  });
  const playing = runCalls([note("short", 10), note("long", 100)], ["short", "long"]);
  await vi.advanceTimersByTimeAsync(50);
  expect((await playing).results.map(({ isError }) => isError)).toEqual([true, undefined]);
  expect([...signals].map(([name, { aborted }]) => [name, aborted])).toEqual([
    ["short", true],
    ["long", false],
  ]);
});

test("the middle of a long output is removed, and the model learns how much is missing", async () => {
  const text = `${"a".repeat(60)}${"b".repeat(60)}`;
  const big = recorder("big", () => text);
  const { results } = await runCalls([big], ["big"], { limits: { resultChars: 100 } });
  const notice =
    "[20 of 120 characters were removed here: a result may have at most 100. Request a smaller part to see them.]";
  expect(results[0]?.content).toBe(`${"a".repeat(50)}\n${notice}\n${"b".repeat(50)}`);
  const { results: whole } = await runCalls([big], ["big"], { limits: { resultChars: 120 } });
  expect(whole[0]?.content).toBe(text);
});

test("errors, objects and validation messages are truncated like any other output", async () => {
  const long = "x".repeat(1000);
  const throws = recorder("throws", () => {
    throw new Error(long);
  });
  const gives = recorder("gives", () => ({ long }));
  const invalid = {
    ...invalidInput()["~standard"],
    validate: () => ({ issues: [{ message: long }] }),
  };
  const refuses = { ...recorder("refuses"), inputSchema: { "~standard": invalid } };
  const { results } = await runCalls([throws, gives, refuses], ["throws", "gives", "refuses"], {
    limits: { resultChars: 100 },
  });
  for (const { content } of results)
    expect(content).toMatch(
      /\[\d+ of 10\d\d characters were removed here|\[\d+ of 11\d\d characters/,
    );
  expect(results.map(({ isError }) => isError)).toEqual([true, undefined, true]);
});

test("without the option a result holds 256 Ki characters", async () => {
  const sized = (length: number) => recorder("big", () => "x".repeat(length));
  expect((await runCalls([sized(262_144)], ["big"])).results[0]?.content).toHaveLength(262_144);
  expect((await runCalls([sized(262_145)], ["big"])).results[0]?.content).toContain(
    "[1 of 262145 characters were removed here",
  );
});

test("truncation never splits a character", async () => {
  const faces = recorder("faces", () => "😀".repeat(40));
  for (const resultChars of [9, 10, 11, 12]) {
    const { results } = await runCalls([faces], ["faces"], {
      limits: { resultChars },
    });
    expect(String(results[0]?.content).isWellFormed()).toBe(true);
    expect(results[0]?.content).toMatch(/^\u{1F600}+\n\[\d\d of 80 characters/u);
  }
});

test("the event and the history have the same truncated result", async () => {
  const { events, results } = await runCalls([recorder("big", () => "x".repeat(500))], ["big"], {
    limits: { resultChars: 10 },
  });
  expect(eventsOfType(events, "tool-result").map(({ result }) => result)).toEqual(results);
});

test.each([
  [
    "`limits.concurrency` must be a whole number, at least 1, not 0",
    { limits: { concurrency: 0 } },
  ],
  [
    "`limits.resultChars` must be a whole number, at least 1, not 2.5",
    { limits: { resultChars: 2.5 } },
  ],
  [
    "`tools[0].timeoutMs` must be more than 0, not 0.",
    { tools: [{ ...recorder("slow"), timeoutMs: 0 }] },
  ],
  [
    "`tools[0].timeoutMs` must be more than 0, not NaN.",
    { tools: [{ ...recorder("slow"), timeoutMs: Number.NaN }] },
  ],
])("run throws at once: %s", (sentence, options) => {
  expect(() => run({ adapter: mock([]), prompt: "Go.", ...options })).toThrow(sentence);
});
