import { validateHistory } from "@fullstop/core";
import { type AssistantMessage, dropOldest, type Message, run, safeCuts } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import fc from "fast-check";
import { expect, test } from "vitest";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

const user = (content: string): Message => ({ role: "user", content });
const assistant = (text: string): Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
});
const toolTurn = (...ids: readonly string[]): readonly Message[] => [
  {
    role: "assistant",
    content: ids.map((id) => ({ type: "tool-call", id, name: "look", inputText: "{}" })),
  },
  {
    role: "tool",
    content: ids.map((id) => ({ type: "tool-result", id, name: "look", content: "Much to see." })),
  },
];
const native = (block: { opens?: string; closes?: string }): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "native", data: {}, ...block }],
});
const long = [
  user("The task."),
  ...Array.from({ length: 20 }, (_, at) => toolTurn(`c${at}`)).flat(),
];
const full: Say = { stop: "context-window" };

test("when the window is full, the conversation is compacted once a turn, and the turn is requested again", async () => {
  const model = mock([full, "Done."]);
  const { outcome, events } = await runWatched({
    adapter: model,
    messages: long,
    recovery: { compact: dropOldest },
  });
  expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 1 });
  expect(recoveries(events)).toEqual(["compact: context-window"]);
  expect(eventsOfType(events, "turn").map(({ kept }) => kept)).toEqual([false, true]);
  expect(model.requests[1]?.messages).toEqual(dropOldest(long));
  expect(outcome.messages).toEqual([
    ...dropOldest(long),
    expect.objectContaining({ role: "assistant" }),
  ]);

  const again = mock([full, full]);
  const failed = await run({
    adapter: again,
    messages: long,
    recovery: { compact: dropOldest },
  }).outcome();
  expect(failed).toMatchObject({ status: "failed", error: { kind: "context-window" } });
  again.assertDone();
});

test("the next turn may be compacted again", async () => {
  let at = 0;
  const look = { calls: [{ name: "look", input: {} }] };
  const compact = (messages: readonly Message[]) => [
    user(`Summary ${++at}.`),
    ...messages.slice(-2),
  ];
  const model = mock([full, look, full, "Done."]);
  const { outcome } = await runWatched({
    adapter: model,
    messages: long,
    recovery: { compact },
    tools: [recorder("look", () => "x".repeat(900))],
  });
  expect(outcome.status).toBe("done");
  expect(at).toBe(2);
  expect(outcome.messages[0]).toEqual(user("Summary 2."));
});

test("the cap is never raised because the window is full", async () => {
  const model = mock([full, "Done."], { maxTokens: { default: 100, ceiling: 9000 } });
  await run({ adapter: model, messages: long, recovery: { compact: dropOldest } }).outcome();
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([100, 100]);
});

test("if a larger cap fills the window, the earlier reply that was cut is accepted", async () => {
  const cut: Say = {
    calls: [{ name: "look", inputText: '{"a' }],
    stop: "length",
    usage: { output: 100 },
  };
  const model = mock([cut, full, "Shorter."], { maxTokens: { default: 100, ceiling: 9000 } });
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [recorder("look")],
    prompt: "Go.",
    recovery: { compact: dropOldest },
  });
  expect(recoveries(events)).toEqual(["raise-cap: length", "tell-model: length"]);
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([100, 200, 100]);
  expect(outcome.status).toBe("done");
});

test("a compaction that fails, or whose result is not a smaller conversation, ends the run", async () => {
  const wrong: readonly (readonly [() => readonly Message[], RegExp])[] = [
    [
      () => {
        throw new Error("No money.");
      },
      /compact` did not help: No money\./,
    ],
    [
      () => [user("Hello."), ...toolTurn("a").slice(0, 1)],
      /its result is not valid: message 1: call-without-result/,
    ],
    [() => [], /its result is empty/],
    [() => long, /is not smaller/],
  ];
  for (const [compact, words] of wrong) {
    const model = mock([full]);
    const outcome = await run({ adapter: model, messages: long, recovery: { compact } }).outcome();
    expect(outcome).toMatchObject({
      status: "failed",
      error: { kind: "context-window", message: expect.stringMatching(words) },
    });
    expect(outcome.summary).toMatch(/context window is full/);
    expect(outcome.messages).toEqual(long);
    model.assertDone();
  }
});

test("an abort reaches the compaction, and the run does not wait for it", async () => {
  const controller = new AbortController();
  let given: AbortSignal | undefined;
  const compact = (_: readonly Message[], signal: AbortSignal) => {
    given = signal;
    setImmediate(() => controller.abort());
    return new Promise<never>(() => undefined);
  };
  const outcome = await run({
    adapter: mock([full]),
    messages: long,
    recovery: { compact },
    signal: controller.signal,
  }).outcome();
  expect(outcome.status).toBe("aborted");
  expect(given?.aborted).toBe(true);
});

test("a conversation may be cut before a user or an assistant, never between calls and results or inside a provider's own call", () => {
  const messages = [
    user("Hi."),
    ...toolTurn("a", "b"),
    assistant("So."),
    native({ opens: "s1" }),
    native({ closes: "s1" }),
    assistant("End."),
  ];
  expect(safeCuts(messages)).toEqual([1, 3, 4, 6]);
  expect(safeCuts([native({ opens: "never closed" }), assistant("a")])).toEqual([1]);
  expect(safeCuts([])).toEqual([]);
});

test("dropOldest removes the messages between the task and the newest third, and adds a note", () => {
  const kept = dropOldest(long);
  expect(kept[0]).toEqual(user("The task."));
  expect(kept[1]).toEqual({
    role: "user",
    by: "loop",
    content: "26 earlier messages were removed here to make room.",
  });
  expect(kept.slice(2)).toEqual(long.slice(27));
  expect(dropOldest([user("Hi.")])).toEqual([user("Hi.")]);
});

test("dropOldest removes the first exchange of a short conversation, and never cuts a call of the provider", () => {
  const short = [user("The task."), ...toolTurn("a"), assistant("So."), user("And?")];
  expect(dropOldest(short)).toEqual([
    short[0],
    { role: "user", by: "loop", content: "2 earlier messages were removed here to make room." },
    ...short.slice(3),
  ]);
  const inside = Array.from({ length: 12 }, (_, at) => assistant(`${at}`));
  const spanned = [
    user("The task."),
    assistant("First."),
    assistant("Second."),
    native({ opens: "s" }),
    ...inside,
    native({ closes: "s" }),
  ];
  expect(dropOldest(spanned).slice(2)).toEqual(spanned.slice(3));
});

const part = fc.oneof(
  fc.constant(() => [user("And?")]),
  fc.constant(() => [assistant("Yes.")]),
  fc
    .integer({ min: 1, max: 3 })
    .map(
      (count) => (at: number) =>
        toolTurn(...Array.from({ length: count }, (_, n) => `c${at}-${n}`)),
    ),
);
test("a conversation that is cut at a safe position, or by dropOldest, is valid and has the same end", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const messages = [user("Go."), ...parts.flatMap((make, at) => make(at))];
      for (const at of safeCuts(messages)) expect(validateHistory(messages.slice(at))).toEqual([]);
      for (const at of messages.keys()) {
        if (at > 0 && !safeCuts(messages).includes(at))
          expect(validateHistory(messages.slice(at))).not.toEqual([]);
      }
      const smaller = dropOldest(messages);
      expect(validateHistory(smaller)).toEqual([]);
      expect(smaller.at(-1)).toEqual(messages.at(-1));
    }),
  );
});

const filled: Say = {
  calls: [{ name: "write", inputText: '{"content":"One, ' }],
  stop: "length",
  usage: { output: 300 },
};
test("if the window fills during a reply, the conversation is compacted and the cap is not raised", async () => {
  const model = mock([filled, "Done."], { maxTokens: { default: 1000, ceiling: 64_000 } });
  const { outcome, events } = await runWatched({
    adapter: model,
    messages: long,
    tools: [recorder("write")],
    recovery: { compact: dropOldest },
  });
  expect(recoveries(events)).toEqual(["compact: context-window"]);
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([1000, 1000]);
  expect(outcome).toMatchObject({ status: "done", text: "Done." });
});

test("without a `compact` the model may send less of a call that filled the window; then the outcome names the option", async () => {
  const model = mock([filled, filled, filled], { maxTokens: { default: 1000, ceiling: 64_000 } });
  const { outcome, events } = await runWatched({
    adapter: model,
    messages: long,
    tools: [recorder("write")],
  });
  expect(recoveries(events)).toEqual(["tell-model: context-window", "tell-model: context-window"]);
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toMatch(
    /context window.*None of your tool calls \(write\) ran\. Do not repeat the same call\./,
  );
  expect(outcome).toMatchObject({ status: "failed", error: { kind: "context-window" } });
  expect(outcome.summary).toMatch(
    /cut after 300 output tokens, although 1000 were allowed.*`recovery: \{ compact: dropOldest \}`\.$/,
  );
  const text = mock([{ text: "One, two, ", stop: "length", usage: { output: 300 } }], {
    maxTokens: { default: 1000 },
  });
  expect(await run({ adapter: text, messages: long }).outcome()).toMatchObject({
    status: "failed",
    text: "One, two, ",
    turns: 1,
  });
});

test.each([
  ["dropOldest", dropOldest],
  ["safeCuts", safeCuts],
] as const)("%s says what to pass if it gets no list", (name, call) => {
  for (const given of [undefined, null, "Hello.", {}])
    expect(() => call(given as never)).toThrow(`\`${name}\` needs a list of messages.`);
});
