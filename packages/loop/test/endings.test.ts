import { StopReason } from "@fullstop/core";
import { jsonSchema, type Message, run } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { afterEach, expect, test, vi } from "vitest";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

afterEach(() => void vi.useRealTimers());

const prompt = "Clean up.";
const recovery = { maxWaitMs: 0 };
const complete = [{ name: "remove", input: { path: "/" } }];
const done = { calls: [{ name: "remove", input: { path: "a.log" } }] };

const shouldRun: Record<StopReason, boolean> = {
  stop: true, // with complete calls the gate says tool-use
  "tool-use": true,
  length: false,
  "context-window": false,
  pause: false,
  refusal: false,
  "content-filter": false,
  "malformed-tool-call": false,
  error: false,
  interrupted: false,
  aborted: false,
  unknown: false,
};
const claimed = Object.values(StopReason).filter(
  (reason) => reason !== "interrupted" && reason !== "aborted",
);
test.each(claimed)(
  "a complete call in a reply that ends with %s runs only if the table allows it, and the conversation stays valid",
  async (stop) => {
    const remove = recorder("remove");
    const same: Say = { text: "I remove it.", calls: complete, stop };
    const rest = Array.from({ length: 12 }, () => (shouldRun[stop] ? "Done." : same));
    const outcome = await run({
      adapter: mock([same, ...rest]),
      tools: [remove],
      prompt,
    }).outcome();
    expect(remove.ran).toEqual(shouldRun[stop] ? [{ path: "/" }] : []);
    expect(outcome.status === "done").toBe(shouldRun[stop]);
    expect(JSON.stringify(outcome.messages).includes('"tool-call"')).toBe(shouldRun[stop]);
    await expect(
      run({ adapter: mock(["Hello."]), messages: outcome.messages, prompt: "And now?" }).text(),
    ).resolves.toBe("Hello.");
  },
);

test("a refusal and a filter have different outcomes, keep no message, and are not retried", async () => {
  for (const [stop, by] of [
    ["refusal", "model"],
    ["content-filter", "filter"],
  ] as const) {
    const model = mock([{ text: "I will", stop }]);
    expect(await run({ adapter: model, prompt, recovery }).outcome()).toMatchObject({
      status: "refused",
      by,
      text: "I will",
      messages: [{ role: "user" }],
    });
    model.assertDone();
  }
});

test("an unknown native stop reason fails the run, names it, and keeps the text", async () => {
  const model = { ...mock([{ text: "Half", calls: complete, stop: "stop" }]), stops: {} };
  const remove = recorder("remove");
  const outcome = await run({
    adapter: model,
    tools: [remove],
    prompt,
    recovery,
  }).outcome();
  expect(outcome).toMatchObject({
    status: "failed",
    error: { kind: "unknown-stop" },
    text: "Half",
    turn: { native: { stop: "stop" } },
  });
  expect(outcome.messages.at(-1)).toMatchObject({
    role: "assistant",
    content: [{ type: "text", text: "Half" }],
  });
  expect(remove.ran).toEqual([]);
});

test.each([
  ["stop", { stop: "stop", calls: "never" }, "END"],
  ["stop", { stop: "stop", calls: "never" }, undefined],
  ["tool-use", { stop: "tool-use", calls: "never" }, "END"],
] as const)(
  "a call that a stop sequence cut ends the run `truncated` at once, and the summary names the option (%s)",
  async (stop, claim, text) => {
    const script = mock([{ text, calls: complete, stop }]);
    const remove = recorder("remove");
    const adapter = { ...script, stops: { ...script.stops, [stop]: claim } };
    const other = mock([]);
    const outcome = await run({
      adapter,
      tools: [remove],
      prompt,
      recovery: { ...recovery, fallback: [{ adapter: other }] },
    }).outcome();
    const withheld = [{ name: "remove", reason: "stop-sequence" }];
    expect(outcome).toMatchObject({
      status: "truncated",
      text: text ?? "",
      withheld,
      turn: { withheld },
      summary:
        "The answer is not complete. A stop sequence ended the reply. Remove the stop sequences of the request (`params`), or choose ones that no call contains. Held back remove; nothing of it ran.",
    });
    expect(remove.ran).toEqual([]);
    script.assertDone();
    other.assertDone();
  },
);

test("an object for `output` that a stop sequence cut as a call ends the run `truncated`", async () => {
  const script = mock([{ calls: [{ name: "final_output", input: { a: 1 } }], stop: "stop" }]);
  const outcome = await run({
    adapter: { ...script, stops: { ...script.stops, stop: { stop: "stop", calls: "never" } } },
    output: jsonSchema({ type: "object", properties: { a: { type: "number" } } }),
    prompt,
    recovery,
  }).outcome();
  expect(outcome).toMatchObject({ status: "truncated", withheld: [{ reason: "stop-sequence" }] });
  script.assertDone();
});

test("a text that a stop sequence ended is the answer", async () => {
  const script = mock([{ text: "One, two", stop: "stop" }]);
  const adapter = {
    ...script,
    stops: { ...script.stops, stop: { stop: "stop", calls: "never" } },
  } as const;
  expect(await run({ adapter, tools: [recorder("remove")], prompt }).outcome()).toMatchObject({
    status: "done",
    text: "One, two",
    summary: "The model finished in one turn.",
  });
});

test("an abort in the middle of a reply keeps its text and runs nothing", async () => {
  const controller = new AbortController();
  const remove = recorder("remove");
  const { outcome, events } = await runWatched({
    adapter: mock([{ text: "I remove", calls: complete }]),
    tools: [remove],
    prompt,
    signal: controller.signal,
    onEvent: (event) => event.type === "tool-input-end" && controller.abort(),
  });
  expect(outcome).toMatchObject({
    status: "aborted",
    text: "I remove",
    summary: "The run was aborted in one turn.",
  });
  expect(outcome.messages.at(-1)).toMatchObject({
    role: "assistant",
    content: [{ type: "text", text: "I remove" }],
  });
  expect(eventsOfType(events, "tool-call")).toEqual([]);
  expect(remove.ran).toEqual([]);
});

const malformed: Say = { calls: [{ name: "remove", inputText: '{"path":"/' }] };
test("the model gets a note about a call that cannot be used, at most three times", async () => {
  const remove = recorder("remove");
  const model = mock([malformed, done, malformed, malformed, malformed, malformed]);
  const { outcome, events } = await runWatched({ adapter: model, tools: [remove], prompt });
  expect(recoveries(events)).toEqual(Array(4).fill("tell-model: malformed-tool-call"));
  expect(outcome).toMatchObject({ status: "failed", error: { kind: "malformed-tool-call" } });
  const notes = outcome.messages.filter(
    (message) => message.role === "user" && message.by === "loop",
  );
  expect(notes[0]?.content).toMatch(
    /could not be used.*None of your tool calls \(remove\) ran.*Available tools: remove\./s,
  );
  expect(String(notes[0]?.content)).not.toContain("output limit");
  expect(remove.ran).toEqual([{ path: "a.log" }]);
  model.assertDone();
});

test("the model gets a note about a number with too many digits, and advice", async () => {
  const rounded: Say = { calls: [{ name: "remove", inputText: '{"id":12345678901234567890}' }] };
  const model = mock([rounded, "Done."]);
  const remove = recorder("remove");
  await run({ adapter: model, tools: [remove], prompt }).outcome();
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    by: "loop",
    content: expect.stringMatching(/number.*Send .*number.* as a string\./),
  });
  expect(remove.ran).toEqual([]);
});

test("a paused turn is sent back unchanged, at most eight times, and its text is joined", async () => {
  const pause = (text: string): Say => ({ text, stop: "pause" });
  const model = mock([pause("Searching, "), pause("reading, "), "found."]);
  const { outcome, events } = await runWatched({ adapter: model, prompt });
  expect(outcome).toMatchObject({ status: "done", text: "Searching, reading, found." });
  expect(recoveries(events)).toEqual(["resume: pause", "resume: pause"]);
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);

  const endless = mock(Array(9).fill(pause("Still searching. ")));
  expect(await run({ adapter: endless, prompt }).outcome()).toMatchObject({
    status: "limit",
    limit: "pauses",
  });
  endless.assertDone();
  expect(
    await run({ adapter: mock([pause("…")]), prompt, limits: { turns: 1 } }).outcome(),
  ).toMatchObject({
    status: "limit",
    limit: "turns",
  });
});

test("a paused turn without content is requested again", async () => {
  const model = mock([{ stop: "pause" }, "Done."]);
  const { outcome, events } = await runWatched({ adapter: model, prompt });
  expect(recoveries(events)).toEqual(["retry: pause"]);
  expect(outcome).toMatchObject({ status: "done", turns: 1 });
});

test("an empty reply is requested once more", async () => {
  const model = mock(["", "Here I am."]);
  const { events } = await runWatched({ adapter: model, prompt });
  expect(recoveries(events)).toEqual(["retry: stop"]);
  const mute = mock(["", ""]);
  expect(await run({ adapter: mute, prompt }).outcome()).toMatchObject({
    status: "done",
    empty: true,
    text: "",
  });
  mute.assertDone();
  expect("empty" in (await run({ adapter: mock(["Hi."]), prompt }).outcome())).toBe(false);
});

test.each([
  ["an empty reply", ""],
  ["a reply of only thinking", { thinking: "Hm." }],
])("%s to results gets one note, then the run is done", async (_, silent) => {
  const tools = [recorder("remove")];
  const quiet = mock([done, silent, "It is gone."]);
  const { outcome, events } = await runWatched({ adapter: quiet, tools, prompt });
  expect(recoveries(events)).toEqual(["tell-model: stop"]);
  expect(quiet.requests.at(-1)?.messages.at(-1)).toEqual({
    role: "user",
    content: "Your reply was empty. Continue with the task. If the task is done, say so in a text.",
    by: "loop",
  });
  expect(outcome).toMatchObject({ status: "done", text: "It is gone.", turns: 3 });
  expect(outcome).not.toHaveProperty("empty");

  const mute = mock([done, silent, silent]);
  expect(await run({ adapter: mute, tools, prompt }).outcome()).toMatchObject({
    status: "done",
    empty: true,
    turns: 3,
  });
  mute.assertDone();
});

test("an empty reply to results is the end if notes are off, or on the last turn", async () => {
  const tools = [recorder("remove")];
  const empty = { status: "done", empty: true, turns: 2 };
  for (const more of [{ recovery: { notes: 0 } }, { limits: { turns: 2 } }])
    expect(
      await run({ adapter: mock([done, ""]), tools, prompt, ...more }).outcome(),
    ).toMatchObject(empty);
});

test("on the last allowed turn calls get a result but do not run, and the conversation stays valid", async () => {
  const remove = recorder("remove");
  const model = mock([done, done]);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [remove],
    prompt,
    limits: { turns: 2 },
  });
  expect(outcome).toMatchObject({
    status: "limit",
    limit: "turns",
    turns: 2,
    summary: expect.stringContaining("limit of 2 turns"),
  });
  expect(remove.ran).toHaveLength(1);
  expect(outcome.messages.at(-1)?.content).toMatchObject([
    { isError: true, content: expect.stringContaining("limit of 2 turns") },
  ]);
  expect(eventsOfType(events, "tool-result")).toHaveLength(2);
  const again = await run({
    adapter: mock([done, "Done."]),
    tools: [remove],
    messages: outcome.messages,
  }).outcome();
  expect(again.status).toBe("done");
  model.assertDone();
});

test("a run without a limit ends after a hundred turns", async () => {
  const remove = recorder("remove");
  const busy = Array.from(
    { length: 100 },
    (_, at): Say => ({ calls: [{ name: "remove", input: { path: `${at}.log` } }] }),
  );
  const outcome = await run({ adapter: mock(busy), tools: [remove], prompt }).outcome();
  expect(outcome).toMatchObject({ status: "limit", turns: 100 });
  expect(remove.ran).toHaveLength(99);
});

test("the caller's messages are not changed", async () => {
  const messages: readonly Message[] = Object.freeze([
    { role: "user", content: "Hello." } as const,
  ]);
  await run({ adapter: mock([done, "Done."]), tools: [recorder("remove")], messages }).outcome();
  expect(messages).toHaveLength(1);
});
