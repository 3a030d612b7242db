import { run } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { recorder, recoveries, runWatched } from "./tools.ts";

const prompt = "Write the report.";
const whole: Say = { calls: [{ name: "write", input: { path: "report.md", content: "All." } }] };
/** The cap cut a reply that has neither a text nor a call. */
const thought: Say = { thinking: "Hm, hm, hm.", stop: "length" };
test.each([
  ["high", "low"],
  ["medium", "low"],
  [undefined, "low"],
  ["low", "none"],
] as const)(
  "a reply of only thinking is requested once more with less effort: %s, then %s",
  async (effort, less) => {
    const model = mock([thought, whole, "Done."]);
    const { outcome, events } = await runWatched({
      adapter: model,
      tools: [recorder("write")],
      prompt,
      request: { effort },
    });
    expect(model.requests.map((request) => request.effort)).toEqual([effort, less, effort]);
    expect(recoveries(events)).toEqual(["less-effort: length"]);
    expect(outcome).toMatchObject({ status: "done", turns: 2 });
  },
);

test("a reply of blank text and thinking counts as only thinking", async () => {
  const model = mock([{ ...thought, text: "\n\n" }, "Done."]);
  const { outcome, events } = await runWatched({ adapter: model, prompt });
  expect(recoveries(events)).toEqual(["less-effort: length"]);
  expect(outcome.text).toBe("Done.");
});

test("if the host refuses less effort, the run is truncated, not failed", async () => {
  const model = mock([thought]);
  const strict: typeof model = {
    ...model,
    open: async (request, signal) => {
      if (request.effort !== undefined)
        throw { status: 400, error: { message: "effort is not supported" } };
      return model.open(request, signal);
    },
  };
  expect(await run({ adapter: strict, prompt }).outcome()).toMatchObject({
    status: "truncated",
    cause: "thinking",
    turn: { stopReason: "length" },
  });
});

test("if the model still only thinks, or cannot think less, the run is truncated", async () => {
  const again = mock([thought, thought]);
  expect(await run({ adapter: again, prompt }).outcome()).toMatchObject({
    status: "truncated",
    cause: "thinking",
    turns: 1,
    messages: [{ role: "user" }],
  });
  again.assertDone();
  const already = mock([thought]);
  expect(
    (await run({ adapter: already, prompt, request: { effort: "none" } }).outcome()).status,
  ).toBe("truncated");
  already.assertDone();
});

test("a server that sends nothing of a cut call is asked with a larger cap", async () => {
  const nothing: Say = { stop: "length" };
  const model = mock([nothing, nothing, whole, "Done."]);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [recorder("write")],
    prompt,
    request: { maxTokens: 100 },
  });
  expect(recoveries(events)).toEqual(["less-effort: length", "raise-cap: length"]);
  expect(model.requests.map(({ maxTokens, effort }) => [maxTokens, effort])).toEqual([
    [100, undefined],
    [100, "low"],
    [200, "low"],
    [200, undefined],
  ]);
  expect(outcome).toMatchObject({ status: "done", text: "Done." });
});

test("without tools the cap of such a reply is not raised", async () => {
  const model = mock([thought, thought]);
  const { outcome } = await runWatched({ adapter: model, prompt, request: { maxTokens: 100 } });
  expect(outcome).toMatchObject({
    status: "truncated",
    cause: "thinking",
    summary: expect.stringContaining("before it wrote a text or a whole call"),
  });
  model.assertDone();
});

test.for<[string, Say]>([
  ["a text", { text: "One, ", stop: "length" }],
  ["a call", { ...whole, stop: "length" }],
])("a run is not truncated by thinking if %s was cut", async ([, said]) => {
  const outcome = await run({
    adapter: mock([said]),
    prompt,
    tools: [recorder("write")],
    recovery: { requests: 1, notes: 0 },
  }).outcome();
  expect(outcome.status).toBe("truncated");
  expect("cause" in outcome).toBe(false);
});
