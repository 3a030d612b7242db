import { type Adapter, run } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { afterEach, expect, test, vi } from "vitest";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

afterEach(() => void vi.useRealTimers());
const prompt = "Go.";
const fakeTimers = () =>
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });

const dropped: Say = { text: "Half", stop: null };
test("recovery.requests limits the requests of a turn over all causes", async () => {
  for (const requests of [1, 2, 5]) {
    const model = mock(Array(requests).fill(dropped));
    const outcome = await run({
      adapter: model,
      prompt,
      recovery: { requests, maxWaitMs: 0 },
    }).outcome();
    expect(outcome).toMatchObject({ status: "failed", error: { kind: "cut" } });
    model.assertDone();
  }
});

const unusable: Say = { calls: [{ name: "look", inputText: '{"a' }] };
const cut: Say = { ...unusable, stop: "length" };
test.each<[string, Say, string]>([
  ["a call that was cut", cut, "truncated"],
  ["a call that cannot be used", unusable, "failed"],
  ["a text that was cut", { text: "One, ", stop: "length" }, "truncated"],
  ["a lost connection", dropped, "failed"],
  ["nothing at all", { text: "" }, "done"],
  ["thinking alone", { thinking: "Hm.", stop: "length" }, "truncated"],
])(
  "with one request for a turn, %s is neither retried nor answered with a note",
  async (_, say, status) => {
    const model = mock([say], { maxTokens: { default: 100, ceiling: 9000 } });
    const outcome = await run({
      adapter: model,
      tools: [recorder("look")],
      prompt,
      recovery: { requests: 1 },
    }).outcome();
    expect(outcome).toMatchObject({ status, turns: 1 });
    expect(
      outcome.messages.filter((message) => message.role === "user" && message.by === "loop"),
    ).toEqual([]);
    model.assertDone();
  },
);

test("with one request for a turn, results are sent and a paused turn is sent back", async () => {
  const model = mock([
    { text: "Searching, ", stop: "pause" },
    { calls: [{ name: "look", input: {} }] },
    "Done.",
  ]);
  const outcome = await run({
    adapter: model,
    tools: [recorder("look")],
    prompt,
    recovery: { requests: 1 },
  }).outcome();
  expect(outcome).toMatchObject({ status: "done", turns: 3 });
});

test.each<[number, readonly string[]]>([
  [0, ["raise-cap: length", "raise-cap: length"]],
  [1, ["raise-cap: length", "raise-cap: length", "tell-model: length"]],
])(
  "notes to the model are counted apart from requests, and can be turned off: %i",
  async (count, expected) => {
    const model = mock(Array(9).fill(cut), { maxTokens: { default: 100, ceiling: 400 } });
    const { events } = await runWatched({
      adapter: model,
      tools: [recorder("look")],
      prompt,
      recovery: { notes: count },
    });
    expect(recoveries(events)).toEqual(expected);
    const talks = mock([
      ...Array<Say>(count).fill({ text: "One, ", stop: "length" }),
      { text: "two", stop: "length" },
    ]);
    expect(
      (await run({ adapter: talks, prompt, recovery: { notes: count } }).outcome()).status,
    ).toBe("truncated");
    talks.assertDone();
  },
);

test("recovery.notes can be higher than the default, also with one request for a turn", async () => {
  const model = mock([...Array<Say>(5).fill(unusable), "I cannot."]);
  const outcome = await run({
    adapter: model,
    tools: [recorder("look")],
    prompt,
    recovery: { requests: 1, notes: 5 },
  }).outcome();
  expect(outcome).toMatchObject({ status: "done", text: "I cannot.", turns: 6 });
});

/** A host that is busy, and asks to come back after so long. */
const rateLimited = (seconds: number): Adapter & { readonly asked: () => number } => {
  let asked = 0;
  const model = mock(["Done."]);
  const open: Adapter["open"] = async (request, signal) => {
    if (++asked === 1) throw { status: 429, headers: { "retry-after": String(seconds) } };
    return model.open(request, signal);
  };
  return { ...model, open, asked: () => asked };
};
test("a wait that the provider asks for is kept up to maxWaitMs; a longer one ends the run", async () => {
  fakeTimers();
  const patient = rateLimited(90);
  const text = run({ adapter: patient, prompt, recovery: { maxWaitMs: 90_000 } }).text();
  await vi.advanceTimersByTimeAsync(89_999);
  expect(patient.asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await text).toBe("Done.");
  const short = rateLimited(2);
  const outcome = await run({ adapter: short, prompt, recovery: { maxWaitMs: 1000 } }).outcome();
  expect(outcome).toMatchObject({
    status: "failed",
    error: { kind: "rate-limit", retryAfterMs: 2000 },
    summary: expect.stringContaining("The provider asks to wait 2 s before the next request."),
  });
  expect(short.asked()).toBe(1);
});

test("a provider that cancels its reply has failed: the run was not aborted", async () => {
  const open: Adapter["open"] = () =>
    Promise.reject({ status: 499, message: "The operation was cancelled. Aborted." });
  const outcome = await run({ adapter: { ...mock([]), open }, prompt }).outcome();
  expect(outcome).toMatchObject({ status: "failed", error: { kind: "cancelled" } });
});

test("the backoff is never longer than maxWaitMs", async () => {
  fakeTimers();
  const model = mock(Array(12).fill(dropped));
  const outcome = run({
    adapter: model,
    prompt,
    recovery: { requests: 12, maxWaitMs: 1000 },
  }).outcome();
  await vi.advanceTimersByTimeAsync(11_000);
  expect((await outcome).status).toBe("failed");
  model.assertDone();
});

test("invalid options of recovery are an error at once", () => {
  const adapter = mock([]);
  expect(() => run({ adapter, prompt, recovery: { requests: 0 } })).toThrow(
    "`recovery.requests` must be a whole number, at least 1",
  );
  expect(() => run({ adapter, prompt, recovery: { maxWaitMs: -1 } })).toThrow(
    "`recovery.maxWaitMs` must be between 0",
  );
  expect(() => run({ adapter, prompt, limits: { firstEventMs: 0 } })).toThrow(
    "`limits.firstEventMs` must be more than 0",
  );
});

const refused = (stop: "refusal" | "content-filter"): Say => ({ text: "I will not", stop });
test.each(["refusal", "content-filter"] as const)(
  "after a %s the fallback replaces the adapter",
  async (stop) => {
    const first = mock([{ calls: [{ name: "look", input: {} }] }, refused(stop)], {
      maxTokens: { default: 100 },
    });
    const second = mock([{ calls: [{ name: "look", input: { again: true } }] }, "Done."], {
      maxTokens: { default: 77 },
    });
    const { outcome, events } = await runWatched({
      adapter: first,
      recovery: { fallback: [{ adapter: second }] },
      tools: [recorder("look")],
      prompt,
    });
    expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 3 });
    expect(recoveries(events)).toEqual([`fallback: ${stop}`]);
    expect(eventsOfType(events, "turn").map(({ kept }) => kept)).toEqual([true, false, true, true]);
    expect(second.requests.map(({ maxTokens }) => maxTokens)).toEqual([77, 77]);
    expect(JSON.stringify(outcome.messages)).not.toContain("I will not");
    first.assertDone();
    second.assertDone();
  },
);

test("if the fallback refuses too, the run ends", async () => {
  const first = mock([refused("refusal")]);
  const second = mock([refused("content-filter")]);
  const outcome = await run({
    adapter: first,
    recovery: { fallback: [{ adapter: second }] },
    prompt,
  }).outcome();
  expect(outcome).toMatchObject({ status: "refused", by: "filter" });
  first.assertDone();
  second.assertDone();
});

test("a cap that was raised for one adapter is not sent to the fallback", async () => {
  const cut: Say = {
    calls: [{ name: "look", inputText: "{" }],
    stop: "length",
    usage: { output: 100 },
  };
  const look: Say = { calls: [{ name: "look", input: {} }] };
  for (const before of [[cut], [cut, look]]) {
    const first = mock([...before, refused("refusal")]);
    const second = mock([cut, "Done."], { maxTokens: { ceiling: 400 } });
    const options = {
      recovery: { requests: 4, fallback: [{ adapter: second }] },
      tools: [recorder("look")],
      prompt,
      request: { maxTokens: 100 },
    };
    await run({ adapter: first, ...options }).outcome();
    expect(first.requests.map(({ maxTokens }) => maxTokens)).toEqual([
      100,
      200,
      ...before.slice(1).map(() => 200),
    ]);
    expect(second.requests.map(({ maxTokens }) => maxTokens)).toEqual([100, 200]);
  }
});

test("an invalid fallback, or one that is the adapter itself, is an error at once", () => {
  const adapter = mock([]);
  expect(() => run({ adapter, recovery: { fallback: [{ adapter: adapter }] }, prompt })).toThrow(
    "`recovery.fallback` must not name an adapter twice",
  );
  // @ts-expect-error no adapter
  expect(() => run({ adapter, recovery: { fallback: {} }, prompt })).toThrow(
    "`recovery.fallback` must be a list of",
  );
});

test("the summary distinguishes the output limit, a lost connection, a filter, bad JSON and thinking", async () => {
  const summaryOf = async (step: Say) => {
    const adapter: Adapter = { ...mock(Array(6).fill(step)), toolInputEnd: "implicit" };
    return (
      await run({
        adapter,
        tools: [recorder("look")],
        prompt,
        recovery: { maxWaitMs: 0 },
      }).outcome()
    ).summary;
  };
  const input = '{"path":"a","content":"half';
  const summaries = {
    cap: await summaryOf({ calls: [{ name: "look", inputText: input }], stop: "length" }),
    text: await summaryOf({ text: "Half of", stop: "length" }),
    lost: await summaryOf({ calls: [{ name: "look", inputText: input }], stop: null }),
    filter: await summaryOf({
      calls: [{ name: "look", inputText: input }],
      stop: "content-filter",
    }),
    invalid: await summaryOf({ calls: [{ name: "look", inputText: '{"path":}' }] }),
    incomplete: await summaryOf({ calls: [{ name: "look", inputText: input }] }),
    thinking: await summaryOf({ thinking: "Hm, hm.", stop: "length" }),
    window: await summaryOf({ text: "Half of", stop: "context-window" }),
  };
  expect(summaries.cap).toMatch(/cut at the output limit.*Held back look/);
  expect(summaries.text).toMatch(/cut at the output limit/);
  expect(summaries.lost).toMatch(/connection ended.*Held back look/);
  expect(summaries.filter).toMatch(/content filter/);
  expect(summaries.invalid).toMatch(/not valid JSON/);
  expect(summaries.incomplete).toMatch(/arrived incomplete/);
  expect(summaries.thinking).toContain("have used the limit for thinking");
  expect(summaries.window).toMatch(/context window/);
  for (const [name, summary] of Object.entries(summaries)) {
    if (!["cap", "text", "thinking"].includes(name)) expect(summary).not.toContain("output limit");
  }
});
