import { type Message, run, type ToolResultBlock } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

const prompt = "Tidy the logs.";
const call = (inputText: string) => [{ name: "remove", id: "c1", inputText }];
const whole = call('{"path":"a.log"}');
const blocks = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === "assistant" ? [...message.content] : []));

test.each(["length", "content-filter", "refusal", "error", null] as const)(
  "a turn that ends with %s runs no call, emits no tool event, and leaves no call in the history",
  async (stop) => {
    const remove = recorder("remove");
    const model = mock(Array<Say>(6).fill({ text: "I will tidy up.", calls: whole, stop }));
    const { outcome, events } = await runWatched({ adapter: model, tools: [remove], prompt });
    expect(remove.ran).toEqual([]);
    expect(eventsOfType(events, "tool-call")).toEqual([]);
    expect(eventsOfType(events, "tool-result")).toEqual([]);
    expect(blocks(outcome.messages).filter(({ type }) => type === "tool-call")).toEqual([]);
    expect(outcome.turn.text).toBe("I will tidy up.");
    expect(outcome.turn.stopReason).toBe(stop ?? "interrupted");
    for (const { messages } of model.requests)
      expect(blocks(messages).filter(({ type }) => type === "tool-call")).toEqual([]);
  },
);

test("a complete call in a tool-use turn runs", async () => {
  const remove = recorder("remove");
  expect(
    (await run({ adapter: mock([{ calls: whole }, "Done."]), tools: [remove], prompt }).outcome())
      .status,
  ).toBe("done");
  expect(remove.ran).toEqual([{ path: "a.log" }]);
});

test.each(['{"path":"a', '{"edits":[{"a":1}', '{"limit":1', "{", ""])(
  "arguments cut to `%s` under a cap end, after a larger cap and the notes, as a partial outcome instead of a run",
  async (inputText) => {
    const remove = recorder("remove");
    const cut: Say = { calls: call(inputText), stop: "length", usage: { output: 100 } };
    const model = mock([cut, { ...cut, usage: { output: 200 } }, cut, cut], {
      maxTokens: { default: 100, ceiling: 200 },
    });
    const { outcome, events } = await runWatched({ adapter: model, tools: [remove], prompt });
    expect(recoveries(events)).toEqual([
      "raise-cap: length",
      "tell-model: length",
      "tell-model: length",
    ]);
    expect(outcome).toMatchObject({ status: "truncated", withheld: [{ id: "c1", inputText }] });
    expect(remove.ran).toEqual([]);
    model.assertDone();
  },
);

test("the second, complete reply after a cut call runs once", async () => {
  const remove = recorder("remove");
  const model = mock([{ calls: call('{"path":"a'), stop: "length" }, { calls: whole }, "Done."]);
  expect(
    (await run({ adapter: model, tools: [remove], prompt, request: { maxTokens: 50 } }).outcome())
      .status,
  ).toBe("done");
  expect(remove.ran).toEqual([{ path: "a.log" }]);
  model.assertDone();
});

test("a lost connection in a call is not treated as a reached cap: the cap stays, and no text mentions a limit", async () => {
  const model = mock(Array<Say>(3).fill({ calls: call('{"path":"a'), stop: null }));
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [recorder("remove")],
    prompt,
    request: { maxTokens: 50 },
  });
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([50, 50, 50]);
  expect(recoveries(events)).toEqual(["retry: interrupted", "retry: interrupted"]);
  expect(outcome.status).toBe("failed");
  expect(outcome.summary).not.toContain("limit");
});

test("of two calls in a cut reply the complete one does not run either", async () => {
  const remove = recorder("remove");
  const parallel: Say = {
    calls: [...whole, { name: "remove", id: "c2", inputText: '{"path":"b' }],
    stop: "tool-use",
  };
  const model = mock([parallel, "I did nothing."]);
  const { outcome } = await runWatched({ adapter: model, tools: [remove], prompt });
  expect(remove.ran).toEqual([]);
  expect(outcome.status).toBe("done");
});

test("a call that is written as text is text, cut or not", async () => {
  const remove = recorder("remove");
  const text = '<tool_call>{"name":"remove","arguments":{"path":"a.log"}}</tool_call>';
  const { outcome } = await runWatched({
    adapter: mock([{ text, stop: "length" }, { text }]),
    tools: [remove],
    prompt,
    request: { maxTokens: 50 },
    recovery: { leakedCalls: false },
  });
  expect(outcome).toMatchObject({ status: "done", text: text + text });
  expect(remove.ran).toEqual([]);
});

test("a cut text gets the note to continue, never the note about cut calls", async () => {
  const { outcome, events } = await runWatched({
    adapter: mock([{ text: "First, ", stop: "length" }, "second."]),
    prompt,
    request: { maxTokens: 50 },
  });
  expect(recoveries(events)).toEqual(["continue: length"]);
  expect(outcome.text).toBe("First, second.");
});

test("in the history each call is followed by its result, in order, and never by user text", async () => {
  const model = mock([
    {
      text: "Both.",
      calls: [
        { name: "remove", input: { path: "a" } },
        { name: "list", input: {} },
      ],
    },
    { calls: [{ name: "remove", input: { path: "b" } }] },
    "Done.",
  ]);
  const { outcome } = await runWatched({
    adapter: model,
    tools: [recorder("remove"), recorder("list", () => ({ files: [] }))],
    prompt,
  });
  expect(outcome.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
    "assistant",
  ]);
  const calls = blocks(outcome.messages).flatMap((block) =>
    block.type === "tool-call" ? [[block.id, block.name]] : [],
  );
  const results = outcome.messages
    .flatMap((message) => (message.role === "tool" ? message.content : []))
    .map(({ id, name }: ToolResultBlock) => [id, name]);
  expect(results).toEqual(calls);
  expect(new Set(calls.map(([id]) => id)).size).toBe(3);
});

test("a limit that ends a run leaves each of its calls one result", async () => {
  const model = mock([
    {
      calls: [
        { name: "remove", input: {} },
        { name: "remove", input: {} },
        { name: "nowhere", input: {} },
      ],
    },
  ]);
  const outcome = await run({
    adapter: model,
    tools: [recorder("remove")],
    prompt,
    limits: { turns: 1 },
  }).outcome();
  expect(outcome.messages.at(-1)).toMatchObject({
    role: "tool",
    content: [{ isError: true }, { isError: true }, { isError: true }],
  });
});
