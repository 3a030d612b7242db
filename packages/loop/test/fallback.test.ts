import { type Adapter, type ErrorKind, ProviderError } from "@fullstop/core";
import { type RunEvent, type RunOptions, run } from "@fullstop/loop";
import { type Mock, mock, type Say } from "@fullstop/provider-mock";
import { afterEach, describe, expect, test, vi } from "vitest";
import { countTimers } from "./count-timers.ts";
import { memoryJournal } from "./memory.ts";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

afterEach(() => void vi.useRealTimers());
const prompt = "Go.";
const refused: Say = { text: "I will not", stop: "refusal" };
const full: Say = { stop: "context-window" };
const dropped: Say = { text: "Half", stop: null };
const look: Say = { calls: [{ name: "look", input: {} }] };

/** An adapter whose requests fail with this error, and which counts them. */
function broken(
  kind: ErrorKind,
  retryAfterMs?: number,
): Adapter & { readonly asked: () => number } {
  let asked = 0;
  const open: Adapter["open"] = async () => {
    asked++;
    throw new ProviderError(`It failed (${kind}).`, { kind, retryAfterMs });
  };
  return { ...mock([]), open, asked: () => asked };
}

const allCauses = ["refused", "filtered", "failed", "window"] as const;
type Cause = (typeof allCauses)[number];
const causes: Readonly<Record<ErrorKind, Cause | "none">> = {
  auth: "failed",
  billing: "failed",
  "invalid-request": "failed",
  "context-window": "window",
  filtered: "filtered",
  "malformed-tool-call": "failed",
  "rate-limit": "failed",
  overloaded: "failed",
  server: "failed",
  cancelled: "none",
  network: "failed",
  timeout: "failed",
  cut: "failed",
  "malformed-reply": "failed",
  "too-large": "failed",
  "unknown-stop": "failed",
};
describe("an error that lasts", () => {
  test.each(Object.entries(causes) as [ErrorKind, Cause | "none"][])(
    "of the kind %s is a cause: %s",
    async (kind, cause) => {
      const asks = async (when: readonly Cause[]) => {
        const fallback = mock(["Done."]);
        const { outcome } = await runWatched({
          adapter: broken(kind),
          prompt,
          recovery: { notes: 1, fallback: [{ adapter: fallback, when }] },
        });
        expect(outcome.status === "done").toBe(fallback.requests.length === 1);
        return fallback.requests.length;
      };
      expect(await asks(cause === "none" ? allCauses : [cause])).toBe(cause === "none" ? 0 : 1);
      if (cause !== "none") expect(await asks(allCauses.filter((one) => one !== cause))).toBe(0);
    },
  );
});

test("if all adapters of a chain fail, the summary names them and says what the last one said", async () => {
  const named = (model: string) => ({ ...broken("auth"), provider: "acme", model });
  const { outcome } = await runWatched({
    adapter: named("a"),
    prompt,
    recovery: { fallback: [{ adapter: named("b") }, { adapter: named("c") }] },
  });
  expect(outcome.summary).toBe(
    "None of acme (a), acme (b) and acme (c) gave a usable reply. The last one: The request failed. It failed (auth).",
  );
});

test.each<[Cause, Say]>([
  ["refused", refused],
  ["filtered", { stop: "content-filter" }],
  ["window", full],
])("a reply is a cause: %s", async (cause, say) => {
  const other = mock([]);
  const fallback = mock(["Done."]);
  const when = allCauses.filter((one) => one !== cause);
  const { outcome, events } = await runWatched({
    adapter: mock([say]),
    prompt,
    recovery: {
      fallback: [
        { adapter: other, when },
        { adapter: fallback, when: [cause] },
      ],
    },
  });
  expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 1 });
  expect([other.requests.length, fallback.requests.length]).toEqual([0, 1]);
  expect(recoveries(events)).toHaveLength(1);
});

test("each adapter of a chain has requests of its own, and a turn asks each of them once", async () => {
  for (const requests of [1, 2, 3]) {
    const chain = [broken("server"), broken("network"), broken("overloaded")];
    const { outcome, events } = await runWatched({
      adapter: chain[0] as Adapter,
      prompt,
      recovery: { requests, fallback: chain.slice(1).map((adapter) => ({ adapter })) },
    });
    expect(chain.map(({ asked }) => asked())).toEqual([requests, requests, requests]);
    expect(outcome).toMatchObject({ status: "failed", error: { kind: "overloaded" }, turns: 1 });
    expect(eventsOfType(events, "turn")).toHaveLength(3 * requests);
    expect(recoveries(events).filter((one) => one.startsWith("fallback"))).toHaveLength(2);
  }
});

test("an error that does not pass, or a long wait, is not repeated before the fallback is asked", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const timers = countTimers();
  for (const first of [broken("auth"), broken("rate-limit", 90_000)]) {
    const recovery = { maxWaitMs: 60_000, fallback: [{ adapter: mock(["Done."]) }] };
    expect(await run({ adapter: first, prompt, recovery }).text()).toBe("Done.");
    expect([first.asked(), timers()]).toEqual([1, 0]);
  }
});

test("a switch stays for the rest of the run, and a later turn may use an adapter that failed before", async () => {
  const first = mock([dropped]);
  const second = mock([look, dropped, "Done."]);
  const third = mock([look, dropped]);
  const { outcome, events } = await runWatched({
    adapter: first,
    tools: [recorder("look", () => Math.random())],
    prompt,
    recovery: { requests: 1, fallback: [{ adapter: second }, { adapter: third }] },
  });
  expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 3 });
  expect(recoveries(events)).toEqual(Array(3).fill("fallback: interrupted"));
  for (const adapter of [first, second, third]) adapter.assertDone();
});

test("the fallback comes after the notes about calls that cannot be used", async () => {
  const unusable: Say = { calls: [{ name: "look", inputText: '{"a' }] };
  const { outcome, events } = await runWatched({
    adapter: mock([unusable, unusable]),
    tools: [recorder("look")],
    prompt,
    recovery: { notes: 1, fallback: [{ adapter: mock([look, "Done."]) }] },
  });
  expect(outcome.status).toBe("done");
  expect(recoveries(events)).toEqual([
    "tell-model: malformed-tool-call",
    "fallback: malformed-tool-call",
  ]);
});

test("the fallback comes before salvage, and after salvage that is first", async () => {
  const half: Say = {
    calls: [{ name: "write", inputText: '{"path":"a","content":"ha' }],
    stop: null,
  };
  const actions = async (first: boolean): Promise<readonly string[]> => {
    const salvage = { continueWith: ["write"], first, input: () => ({ path: "a" }) };
    const { events } = await runWatched({
      adapter: mock([half, "Done."]),
      tools: [{ ...recorder("write"), salvage }],
      prompt,
      recovery: { requests: 1, fallback: [{ adapter: mock([half, "Done."]) }] },
    });
    return recoveries(events);
  };
  expect(await actions(false)).toEqual(["fallback: interrupted", "salvage: interrupted"]);
  expect(await actions(true)).toEqual(["salvage: interrupted"]);
});

describe("a full window", () => {
  const messages = Array.from({ length: 12 }, (_, n) => [
    { role: "user" as const, content: `Question ${n}.` },
    { role: "assistant" as const, content: [{ type: "text" as const, text: "Answer." }] },
  ]).flat();
  const watched = (first: readonly Say[], second: Mock, compact: RunOptions["recovery"]) =>
    runWatched({
      adapter: mock(first),
      messages,
      prompt,
      recovery: { ...compact, fallback: [{ adapter: second, when: ["window"] }] },
    });
  test("is compacted first, once a turn, and the fallback gets the smaller conversation", async () => {
    const second = mock([full]);
    const { outcome, events } = await watched([full, full], second, {
      compact: (all) => all.slice(-3),
    });
    expect(recoveries(events)).toEqual(["compact: context-window", "fallback: context-window"]);
    expect(second.requests[0]?.messages).toHaveLength(3);
    expect(outcome).toMatchObject({ status: "failed", error: { kind: "context-window" } });
  });

  test("goes to the fallback if compact fails, also in a replay in which it would not fail", async () => {
    const journal = memoryJournal();
    const attempt = async (first: readonly Say[], second: Mock, compact: () => never[]) => {
      const { outcome, events } = await runWatched({
        adapter: mock(first),
        tools: [recorder("look")],
        messages,
        prompt,
        recovery: { compact, fallback: [{ adapter: second }] },
        journal: { store: journal, runId: "r" },
      });
      return { outcome, actions: recoveries(events) };
    };
    const failing = (): never => {
      throw new Error("No room.");
    };
    const first = await attempt([full], mock([look, dropped, dropped, dropped]), failing);
    expect(first.actions.slice(0, 2)).toEqual([
      "compact: context-window",
      "fallback: context-window",
    ]);
    const cut = journal.lines.findIndex(({ key }) => key === "r/2/model");
    journal.lines.splice(cut);
    const second = mock(["Done."]);
    const again = await attempt([], second, () => []);
    expect(again.outcome).toMatchObject({ status: "done", text: "Done." });
    expect(again.actions).toEqual(first.actions.slice(0, 2));
    expect(second.requests).toHaveLength(1);
  });
});

test("a replay asks the same adapters, and charges each reply to the one that gave it", async () => {
  const journal = memoryJournal();
  const from = (model: string, adapter: Mock): Mock => ({ ...adapter, model });
  const attempt = async (scripts: readonly (readonly Say[])[]) => {
    const [adapter, ...others] = scripts.map((script, n) => from(`model-${n}`, mock(script)));
    const asked: string[] = [];
    const price = (_: unknown, { model }: { readonly model: string }): number => {
      asked.push(model);
      return 1;
    };
    const { outcome } = await runWatched({
      adapter: adapter as Mock,
      tools: [recorder("look")],
      prompt,
      limits: { price },
      recovery: { requests: 2, fallback: others.map((one) => ({ adapter: one })) },
      journal: { store: journal, runId: "r" },
    });
    return { outcome, asked, requests: [adapter, ...others].map((one) => one?.requests.length) };
  };
  const first = await attempt([[look, dropped, dropped], [refused], [look, { text: "Done." }]]);
  expect(first.requests).toEqual([3, 1, 2]);
  journal.lines.splice(journal.lines.findIndex(({ key }) => key === "r/3/model"));
  const again = await attempt([[], [], [{ text: "Done." }]]);
  expect(again.requests).toEqual([0, 0, 1]);
  expect(again.asked).toEqual(first.asked);
  expect(again.outcome.messages).toEqual(first.outcome.messages);
});

test("a limit that is reached also ends a run that has a fallback", async () => {
  const second = mock([]);
  const { outcome } = await runWatched({
    adapter: mock([refused]),
    prompt,
    limits: { outputTokens: 5 },
    recovery: { fallback: [{ adapter: second }] },
  });
  expect(outcome).toMatchObject({ status: "limit", limit: "outputTokens" });
  expect(second.requests).toEqual([]);
});

test("an abort during the fallback ends the run", async () => {
  const controller = new AbortController();
  const onEvent = (event: RunEvent): void => {
    if (event.type === "recovery") controller.abort();
  };
  const second = mock(["Done."]);
  const options = { prompt, onEvent, signal: controller.signal };
  const fallback = [{ adapter: second }, { adapter: mock(["Done."]) }];
  const outcome = await run({
    adapter: mock([refused]),
    ...options,
    recovery: { fallback },
  }).outcome();
  expect(outcome.status).toBe("aborted");
});

test.each<[unknown, string]>([
  [[mock([])], "`recovery.fallback[0]` must be `{ adapter, when }`, not an adapter alone."],
  [[{}], "`recovery.fallback[0].adapter` is missing."],
  [[{ adapter: "mock" }], "`recovery.fallback[0].adapter` must be an adapter, such as"],
  [
    [{ adapter: mock([]), when: [] }],
    "`recovery.fallback[0].when` must be a list with at least one",
  ],
  [[{ adapter: mock([]), when: ["refusal"] }], '"refused", "filtered", "failed", "window"'],
  [[{ adapter: mock([]), wen: ["failed"] }], "Did you mean `recovery.fallback[0].when`?"],
])("an invalid fallback is an error at once: %j", (fallback, message) => {
  const recovery = { fallback } as unknown as NonNullable<RunOptions["recovery"]>;
  expect(() => run({ adapter: mock([]), prompt, recovery })).toThrow(message);
});
