import { type Message, run } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

const prompt = "Write the report.";
/** A call cut inside its content, after so many tokens. */
const cut = (output?: number, text?: string): Say => ({
  text,
  calls: [{ name: "write", id: "w1", inputText: '{"path":"report.md","content":"SECRET-HALF' }],
  stop: "length",
  usage: output === undefined ? {} : { output },
});
const whole: Say = { calls: [{ name: "write", input: { path: "report.md", content: "All." } }] };
const notes = (messages: readonly Message[]) =>
  messages
    .filter((message) => message.role === "user" && message.by === "loop")
    .map(({ content }) => String(content));

test("a cut call is requested again with twice the cap, and the cut one neither runs nor joins the history", async () => {
  const model = mock([cut(1000), whole, "Done."]);
  const write = recorder("write");
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [write],
    prompt,
    request: { maxTokens: 1000 },
  });
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([1000, 2000, 2000]);
  expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages);
  expect(write.ran).toEqual([{ path: "report.md", content: "All." }]);
  expect(recoveries(events)).toEqual(["raise-cap: length"]);
  expect(eventsOfType(events, "turn").map(({ kept }) => kept)).toEqual([false, true, true]);
  expect(outcome).toMatchObject({ status: "done", turns: 2, usage: { output: 1040 } });
  expect(JSON.stringify(outcome.messages)).not.toContain("SECRET-HALF");
  model.assertDone();
});

test("the cap grows up to the ceiling; then the model gets two notes; then the run is truncated", async () => {
  const model = mock([cut(1000), cut(2000), cut(3000), cut(3000), cut(3000)], {
    maxTokens: { default: 1000, ceiling: 3000 },
  });
  const write = recorder("write");
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [write, recorder("edit")],
    prompt,
  });
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([1000, 2000, 3000, 3000, 3000]);
  expect(recoveries(events)).toEqual([
    "raise-cap: length",
    "raise-cap: length",
    "tell-model: length",
    "tell-model: length",
  ]);
  expect(outcome).toMatchObject({
    status: "truncated",
    turns: 3,
    withheld: [{ name: "write", reason: "stop-reason" }],
  });
  expect(outcome.summary).toContain("cut at the output limit");
  expect(write.ran).toEqual([]);
  model.assertDone();
});

test("the note about a cut call says what was cut, that no call ran and what to do, and names only offered tools", async () => {
  const model = mock([cut(), whole, "Done."]);
  const { outcome } = await runWatched({
    adapter: model,
    tools: [recorder("write"), recorder("edit")],
    prompt,
  });
  const [note, ...more] = notes(outcome.messages);
  expect(more).toEqual([]);
  expect(note).toMatch(
    /cut off at the output limit.*None of your tool calls \(write\) ran.*Do not repeat the same call\..*skeleton.*Available tools: write, edit\.$/s,
  );
  expect(outcome.messages.map(({ role }) => role)).toEqual([
    "user",
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

test("text before the cut call stays in the history, before the note", async () => {
  const model = mock([cut(20, "First the report."), whole, "Done."]);
  const { outcome } = await runWatched({ adapter: model, tools: [recorder("write")], prompt });
  expect(outcome.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  expect(outcome.messages[1]).toMatchObject({
    content: [{ type: "text", text: "First the report." }],
    stopReason: "length",
  });
  expect(outcome.text).toBe("Done.");
});

test("text before a cut call is not part of the later answer", async () => {
  const { outcome } = await runWatched({
    adapter: mock([cut(20, "First the report."), "It was too long."]),
    tools: [recorder("write")],
    prompt,
  });
  expect(outcome).toMatchObject({ status: "done", text: "It was too long." });
  const continued = mock([
    { text: "First, ", stop: "length" },
    cut(20, "the report."),
    "It was too long.",
  ]);
  expect(await run({ adapter: continued, tools: [recorder("write")], prompt }).text()).toBe(
    "It was too long.",
  );
});

test("a text that repeats one passage is not continued, and the summary says so", async () => {
  const circling = mock([
    { text: `Let me see.${" I check the file again.".repeat(100)} I ch`, stop: "length" },
  ]);
  const outcome = await run({ adapter: circling, prompt }).outcome();
  expect(outcome).toMatchObject({ status: "truncated", turns: 1 });
  expect(outcome.summary).toContain("repeats one passage");
  const items = Array.from({ length: 200 }, (_, n) => `${n}. Check the file again.\n`).join("");
  const alike = mock([{ text: items, stop: "length" }, "And that is all."]);
  expect(await run({ adapter: alike, prompt }).text()).toBe(`${items}And that is all.`);
});

test("the cap is raised at most twice in a turn", async () => {
  const model = mock([cut(100), cut(200), cut(400), "Too long for me."], {
    maxTokens: { default: 100, ceiling: 100_000 },
  });
  const { events } = await runWatched({ adapter: model, tools: [recorder("write")], prompt });
  expect(recoveries(events)).toEqual([
    "raise-cap: length",
    "raise-cap: length",
    "tell-model: length",
  ]);
  model.assertDone();
});

test("if no ceiling is known, the cap is doubled at most twice in a turn and four times in a run", async () => {
  const model = mock([
    cut(100),
    cut(200),
    whole,
    cut(400),
    cut(800),
    cut(1600),
    cut(1600),
    "Done.",
  ]);
  const { outcome } = await runWatched({
    adapter: model,
    tools: [recorder("write")],
    prompt,
    request: { maxTokens: 100 },
    recovery: { capRaises: 4 },
  });
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([
    100, 200, 400, 400, 800, 1600, 1600, 1600,
  ]);
  expect(notes(outcome.messages)).toHaveLength(2);
  expect(outcome).toMatchObject({
    status: "done",
    summary: "The model finished in 4 turns. The output cap was raised 4 times, to 1,600 tokens.",
  });
  model.assertDone();
});

test("a cap that the program wrote grows to four times at most, however large the ceiling is", async () => {
  const replies = [cut(100), cut(200), cut(400), cut(400), "Done."];
  const model = mock(replies, { maxTokens: { default: 64_000, ceiling: 128_000 } });
  const { outcome } = await runWatched({
    adapter: model,
    tools: [recorder("write")],
    prompt,
    request: { maxTokens: 100 },
    recovery: { requests: 9 },
  });
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([100, 200, 400, 400, 400]);
  expect(outcome.summary).toMatch(/ The output cap was raised twice, to 400 tokens\.$/);
});

test("`capRaises: 0` keeps the cap, and the summary does not speak of it", async () => {
  const model = mock([cut(100), "Done."], { maxTokens: { default: 64_000, ceiling: 128_000 } });
  const { outcome } = await runWatched({
    adapter: model,
    tools: [recorder("write")],
    prompt,
    request: { maxTokens: 100 },
    recovery: { capRaises: 0 },
  });
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([100, 100]);
  expect(outcome.summary).toBe("The model finished in 2 turns.");
});

test("if no cap is known, none is sent", async () => {
  const model = mock([cut(), cut(), cut()]);
  const { outcome } = await runWatched({ adapter: model, tools: [recorder("write")], prompt });
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(outcome.status).toBe("truncated");
  model.assertDone();
});

test("if the host clamps a larger cap, the cap is not raised again", async () => {
  const model = mock([cut(1000), cut(1000), "Short, then."], {
    maxTokens: { default: 1000, ceiling: 64_000 },
  });
  const { events } = await runWatched({ adapter: model, tools: [recorder("write")], prompt });
  expect(recoveries(events)).toEqual(["raise-cap: length", "tell-model: length"]);
  model.assertDone();
});

test("if the host refuses a larger cap, the model gets the note about the cut, and the earlier cap is used", async () => {
  const model = mock([cut(1000, "First."), whole, "Done."]);
  let refused = 0;
  const strict: typeof model = {
    ...model,
    open: async (request, signal) => {
      if ((request.maxTokens ?? 0) <= 1000) return model.open(request, signal);
      refused++;
      throw { status: 400, error: { message: "max_tokens: 2000 > 1000" } };
    },
  };
  const { outcome, events } = await runWatched({
    adapter: strict,
    tools: [recorder("write")],
    prompt,
    request: { maxTokens: 1000 },
  });
  expect(refused).toBe(1);
  expect(recoveries(events)).toEqual(["raise-cap: length", "tell-model: length"]);
  expect(eventsOfType(events, "turn").map(({ turn, kept }) => [turn.stopReason, kept])).toEqual([
    ["length", false],
    ["error", false],
    ["length", true],
    ["tool-use", true],
    ["stop", true],
  ]);
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([1000, 1000, 1000]);
  expect(outcome).toMatchObject({ status: "done", turns: 3 });
  expect(outcome.messages[1]).toMatchObject({ role: "assistant", content: [{ text: "First." }] });
});

test("a cap that the host refused is not requested again in the run", async () => {
  const model = mock([cut(1000), cut(1000), whole, "Done."], { maxTokens: { ceiling: 9000 } });
  const asked: unknown[] = [];
  const strict: typeof model = {
    ...model,
    open: async (request, signal) => {
      asked.push(request.maxTokens);
      if ((request.maxTokens ?? 0) <= 1000) return model.open(request, signal);
      throw { status: 400, error: { message: "max_tokens: 2000 > 1000" } };
    },
  };
  await run({
    adapter: strict,
    tools: [recorder("write")],
    prompt,
    request: { maxTokens: 1000 },
  }).outcome();
  expect(asked).toEqual([1000, 2000, 1000, 1000, 1000]);
});

test("a request with a larger cap is retried after a transient failure", async () => {
  const model = mock([cut(1000), whole, "Done."]);
  let asked = 0;
  const busy: typeof model = {
    ...model,
    open: async (request, signal) => {
      if (++asked === 2) throw { status: 529 };
      return model.open(request, signal);
    },
  };
  const { events } = await runWatched({
    adapter: busy,
    tools: [recorder("write")],
    prompt,
    request: { maxTokens: 1000 },
  });
  expect(recoveries(events)).toEqual(["raise-cap: length", "retry: error"]);
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([1000, 2000, 2000]);
});

test("the count of notes starts again after calls ran", async () => {
  const model = mock([cut(), cut(), whole, cut(), cut(), "Done."]);
  const { outcome } = await runWatched({ adapter: model, tools: [recorder("write")], prompt });
  expect(outcome.status).toBe("done");
  expect(notes(outcome.messages)).toHaveLength(4);
});

test("on the last turn a cut call is not requested again, and the outcome says what was cut", async () => {
  const model = mock([cut()]);
  const { outcome } = await runWatched({
    adapter: model,
    tools: [recorder("write")],
    prompt,
    limits: { turns: 1 },
  });
  expect(outcome).toMatchObject({ status: "truncated", turns: 1, withheld: [{ name: "write" }] });
  expect(notes(outcome.messages)).toEqual([]);
});

test("the same request is never sent again after a cap", async () => {
  const model = mock([cut(500), cut(900), cut(1700), cut(1700), cut(1700)], {
    maxTokens: { default: 500, ceiling: 1700 },
  });
  await run({ adapter: model, tools: [recorder("write")], prompt }).outcome();
  const sent = model.requests.map((request) => JSON.stringify(request));
  expect(new Set(sent).size).toBe(sent.length);
  model.assertDone();
});

const part = (text: string): Say => ({ text, stop: "length" });
test("a cut text is continued and joined, and the history keeps its parts", async () => {
  const model = mock([part("One, two, "), part("three, "), "four."]);
  const { outcome, events } = await runWatched({ adapter: model, prompt });
  expect(outcome).toMatchObject({ status: "done", text: "One, two, three, four.", turns: 3 });
  expect(recoveries(events)).toEqual(["continue: length", "continue: length"]);
  expect(eventsOfType(events, "turn").every(({ kept }) => kept)).toBe(true);
  expect(outcome.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(notes(outcome.messages)[0]).toContain("Continue exactly where it stopped");
});

test("a cut text is continued at most three times; then the outcome is truncated and has the joined text", async () => {
  const model = mock([part("1"), part("2"), part("3"), part("4")]);
  const { outcome } = await runWatched({ adapter: model, prompt });
  expect(outcome).toMatchObject({ status: "truncated", text: "1234", withheld: [] });
  await expect(
    run({ adapter: mock([part("1"), part("2"), part("3"), part("4")]), prompt }).text(),
  ).rejects.toThrow("The answer is not complete.");
  model.assertDone();
});

test("a continued text that ends with an empty reply is done", async () => {
  const { outcome } = await runWatched({ adapter: mock([part("All of it."), ""]), prompt });
  expect(outcome).toMatchObject({ status: "done", text: "All of it." });
});

test("a continued text that ends in a call is not part of the later answer", async () => {
  const { outcome } = await runWatched({
    adapter: mock([part("I shall "), { text: "write.", ...whole }, "Done."]),
    tools: [recorder("write")],
    prompt,
  });
  expect(outcome).toMatchObject({ status: "done", text: "Done." });
});
