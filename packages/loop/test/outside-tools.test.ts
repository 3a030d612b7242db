import { validateHistory } from "@fullstop/core";
import {
  type Decision,
  jsonSchema,
  type Outcome,
  type RunEvent,
  type RunOptions,
  run,
  type Tool,
  type ToolOutput,
  tool,
} from "@fullstop/loop";
import { mock, type Say, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { z } from "zod";
import { memoryJournal } from "./memory.ts";
import { resultsIn } from "./script-run.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const locate = tool({
  name: "locate",
  description: "Where the user is.",
  inputSchema: z.object({ precise: z.boolean().default(false) }),
});
const ask: Say = {
  calls: [
    { name: "note", id: "n", input: {} },
    { name: "locate", id: "l", input: {} },
  ],
};
type Waited = Extract<Outcome, { status: "waiting" }>;
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

async function waited(options: Partial<RunOptions> = {}, say: Say = ask) {
  const note = recorder("note");
  const { outcome, events } = await runWatched({
    adapter: mock([say]),
    tools: [note, locate],
    prompt: "Where am I?",
    ...options,
  });
  expect(validateHistory(outcome.messages)).toEqual([]);
  return { outcome: outcome as Waited, events, note };
}
interface Answers {
  readonly results?: Readonly<Record<string, ToolOutput>>;
  readonly decisions?: Readonly<Record<string, Decision>>;
}
async function resumed(
  { messages, turn }: Outcome,
  answers: Answers,
  options: Partial<RunOptions> & { readonly script?: Script } = {},
) {
  const { script = ["In Oslo."], ...others } = options;
  const note = recorder("note");
  const model = mock(script);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [note, locate],
    messages: stored(messages),
    waiting: { turn: stored(turn), ...answers },
    ...others,
  });
  expect(validateHistory(outcome.messages)).toEqual([]);
  return { outcome, events, note, model, results: resultsIn(outcome.messages) };
}

/** The `tool-result` events by the name of the tool. They come when a call ends. */
const resultsOf = (events: readonly RunEvent[]) =>
  Object.fromEntries(eventsOfType(events, "tool-result").map((event) => [event.call.name, event]));

test("a call of a tool without execute ends the run, and no call of the turn has run", async () => {
  const { outcome, note } = await waited();
  expect(outcome).toMatchObject({
    status: "waiting",
    calls: [{ id: "l", name: "locate", input: { precise: false }, needs: "result" }],
    summary: "The run waits for a result of locate.",
  });
  expect(outcome.messages.map(({ role }) => role)).toEqual(["user"]);
  expect(note.ran).toEqual([]);
});

test("the provider gets the tool like any other", async () => {
  const model = mock([ask]);
  await waited({ adapter: model });
  expect(model.requests[0]?.tools).toMatchObject([{ name: "note" }, { name: "locate" }]);
});

test("the result from outside answers the call, the other calls run, and the model continues", async () => {
  const { outcome } = await waited();
  const next = await resumed(outcome, { results: { l: { city: "Oslo" } } });
  expect(next.note.ran).toHaveLength(1);
  expect(next.results).toEqual(["ok", '{"city":"Oslo"}']);
  expect(next.outcome).toMatchObject({ status: "done", text: "In Oslo.", turns: 1 });
  expect(eventsOfType(next.events, "tool-call").map(({ call }) => call.name)).toEqual(["note"]);
  expect(resultsOf(next.events)).toMatchObject({ note: { ran: true }, locate: { ran: true } });
});

test.each<[string, ToolOutput, object]>([
  ["text", "Oslo", { content: "Oslo" }],
  ["a number", 59.9, { content: "59.9" }],
  ["null", null, { content: "null" }],
  ["an error", { content: "No signal.", isError: true }, { content: "No signal.", isError: true }],
  ["blocks", [{ type: "text", text: "Oslo" }], { content: [{ type: "text", text: "Oslo" }] }],
])("a result is serialized like the output of a tool: %s", async (_, output, result) => {
  const { outcome } = await waited();
  const next = await resumed(outcome, { results: { l: output } });
  const message = next.outcome.messages.find(({ role }) => role === "tool");
  expect(message?.content[1]).toEqual({ type: "tool-result", id: "l", name: "locate", ...result });
});

test("a long result is shortened like the output of a tool", async () => {
  const { outcome } = await waited();
  const next = await resumed(
    outcome,
    { results: { l: "x".repeat(500) } },
    { limits: { resultChars: 100 } },
  );
  expect(next.results[1]).toContain("[400 of 500 characters were removed here");
});

test("a call may be denied instead", async () => {
  const { outcome } = await waited();
  const next = await resumed(outcome, { decisions: { l: { deny: "the user refused" } } });
  expect(next.results).toEqual(["ok", "locate was not run: it was denied: the user refused"]);
  expect(resultsOf(next.events)).toMatchObject({ note: { ran: true }, locate: { ran: false } });
});

test("without a result the run may wait once more", async () => {
  const { outcome } = await waited();
  const next = await resumed(outcome, { decisions: { l: "later" } }, { script: [] });
  expect(next.outcome).toMatchObject({ status: "waiting", calls: [{ id: "l", needs: "result" }] });
  expect(next.note.ran).toEqual([]);
});

test("later calls of the run end it again", async () => {
  const { outcome } = await waited();
  const again = { calls: [{ name: "locate", id: "l2", input: { precise: true } }] };
  const next = await resumed(outcome, { results: { l: "Oslo" } }, { script: [again] });
  expect(next.outcome).toMatchObject({ status: "waiting", calls: [{ id: "l2" }] });
  const last = await resumed(next.outcome, { results: { l2: "Oslo, Grünerløkka" } });
  expect(last.results).toEqual(["ok", "Oslo", "Oslo, Grünerløkka"]);
});

test.each<[string, Answers, string]>([
  [
    "no result",
    {},
    '`waiting.results` has no result of call "l" (locate), whose tool has no `execute`. Add one, or deny the call in `waiting.decisions`.',
  ],
  ["a result that is undefined", { results: { l: undefined } }, 'no result of call "l"'],
  ["only a yes", { decisions: { l: true } }, 'no result of call "l"'],
  ["a yes for this input", { decisions: { l: { allow: {} } } }, 'no result of call "l"'],
  ["a result of another call", { results: { x: "Oslo" } }, '`waiting.results` names "x"'],
  [
    "a result of a tool that this program runs",
    { results: { l: "Oslo", n: "noted" } },
    '`waiting.results` has a result of call "n", but "note" has an `execute`',
  ],
])("run throws at once, and nothing runs, for %s", async (_, answers, sentence) => {
  const { outcome } = await waited();
  const { messages, turn } = outcome;
  const note = recorder("note");
  const adapter = mock([]);
  expect(() =>
    run({ adapter, tools: [note, locate], messages, waiting: { turn, ...answers } }),
  ).toThrow(sentence);
  expect(note.ran).toEqual([]);
});

test("an unknown key of waiting is an error that suggests the key", async () => {
  const { outcome } = await waited();
  const { messages, turn } = outcome;
  const waiting = { turn, result: { l: "Oslo" } } as never;
  expect(() => run({ adapter: mock([]), tools: [locate], messages, waiting })).toThrow(
    "Unknown option `waiting.result`. Did you mean `waiting.results`?",
  );
});

test("a call with an invalid input gets an error result, and needs no other one", async () => {
  const twice: Say = {
    calls: [
      { name: "locate", id: "bad", input: { precise: "very" } },
      { name: "locate", id: "good", input: {} },
    ],
  };
  const { outcome } = await waited({}, twice);
  expect(outcome.calls.map(({ id }) => id)).toEqual(["good"]);
  const next = await resumed(outcome, { results: { good: "Oslo" } });
  expect(next.results).toEqual([expect.stringContaining("its input is not valid"), "Oslo"]);
});

test("approve decides about such calls too, before somebody answers them", async () => {
  const asked: unknown[] = [];
  const { outcome, events } = await waited({
    approve: ({ name, needs }, { tool }) => {
      asked.push([name, needs, tool?.name]);
      return name !== "locate";
    },
  });
  expect(asked).toEqual([
    ["note", "decision", "note"],
    ["locate", "result", "locate"],
  ]);
  expect(outcome.status).not.toBe("waiting");
  expect(resultsIn(outcome.messages)).toEqual(["ok", "locate was not run: it was denied."]);
  expect(eventsOfType(events, "approval").map(({ decision }) => decision)).toEqual([
    "allowed",
    "denied",
  ]);
});

test("decisions and results together: needs says which a call wants", async () => {
  const pay = Object.assign(recorder("pay"), { needsApproval: true });
  const tools = [pay, locate];
  const both: Say = {
    calls: [
      { name: "pay", id: "p", input: {} },
      { name: "locate", id: "l", input: {} },
    ],
  };
  const { outcome } = await waited({ tools }, both);
  expect(outcome.calls.map(({ id, needs }) => [id, needs])).toEqual([
    ["p", "decision"],
    ["l", "result"],
  ]);
  expect(outcome.summary).toBe("The run waits for a decision about pay, and a result of locate.");
  const answers = { decisions: { p: true }, results: { l: "Oslo" } };
  const next = await resumed(outcome, answers, { tools });
  expect(next.results).toEqual(["ok", "Oslo"]);
  expect(pay.ran).toHaveLength(1);
});

test("a journal keeps the result from outside: a crash after it does not ask again", async () => {
  const journal = memoryJournal();
  const { outcome } = await waited();
  const options = { journal: { store: journal, runId: "r" } };
  await resumed(outcome, { results: { l: "Oslo" } }, options);
  const recordedAt = journal.lines.findIndex(({ key }) => key === "r/0/2");
  expect(recordedAt).toBeGreaterThan(0);
  expect(journal.lines.findIndex(({ key }) => key === "r/0/1")).toBeGreaterThan(recordedAt);

  journal.lines.splice(recordedAt + 1);
  const next = await resumed(outcome, {}, options);
  expect(next.results).toEqual(["ok", "Oslo"]);
  expect(resultsOf(next.events)["locate"]).toMatchObject({ ran: true, replayed: true });
  expect(resultsOf(next.events)["note"]).not.toHaveProperty("replayed");
});

test("a run that is killed at any line of its journal answers the call once, with the recorded result", async () => {
  const { outcome } = await waited();
  const whole = memoryJournal();
  await resumed(outcome, { results: { l: "Oslo" } }, { journal: { store: whole, runId: "r" } });
  expect(whole.lines.length).toBeGreaterThan(4);
  for (const [at] of whole.lines.entries()) {
    const past = whole.lines.slice(0, at);
    const hasResult = past.some(({ key }) => key === "r/0/2");
    const journal = { store: memoryJournal(past), runId: "r" };
    const results = { l: hasResult ? "Bergen" : "Oslo" };
    const next = await resumed(outcome, { results }, { journal });
    expect(next.outcome.status).toBe("done");
    expect(next.results[1]).toBe("Oslo");
    const hasBegun = past.some(({ key, begun }) => key === "r/0/1" && begun);
    expect(next.note.ran).toHaveLength(hasBegun ? 0 : 1);
  }
});

test("with a journal that does not hold the result, the run waits once more", async () => {
  const { outcome } = await waited();
  const journal = { store: memoryJournal(), runId: "r" };
  const next = await resumed(outcome, {}, { journal, script: [] });
  expect(next.outcome).toMatchObject({ status: "waiting", calls: [{ id: "l" }] });
  const last = await resumed(outcome, { results: { l: "Oslo" } }, { journal });
  expect(last.results).toEqual(["ok", "Oslo"]);
});

test("the result of a salvaged call begins with the notice", async () => {
  const draft: Tool = {
    name: "draft",
    description: "Shows a draft.",
    inputSchema: jsonSchema({ type: "object" }),
    salvage: { continueWith: ["note"], first: true, input: () => ({ text: "Dear" }) },
  };
  const cut: Say = {
    calls: [{ name: "draft", id: "d", inputText: '{"text":"Dear' }],
    stop: "length",
  };
  const tools = [recorder("note"), draft];
  const { outcome } = await waited({ tools }, cut);
  expect(outcome.calls).toMatchObject([{ id: "d", by: "loop", needs: "result" }]);
  const next = await resumed(outcome, { results: { d: "Shown." } }, { tools });
  expect(next.results[0]).toMatch(/^Your call of draft was cut off.*\n\nShown\.$/s);
});

test("a provider's tool with a schema may run elsewhere, too", async () => {
  const definition = { type: "bash_20250124", name: "bash" };
  const bash = { ...locate, name: "bash", provider: "mock", definition };
  const model = mock([{ calls: [{ name: "bash", id: "b", input: {} }] }]);
  const { outcome } = await waited({ adapter: model, tools: [bash] });
  expect(outcome).toMatchObject({ status: "waiting", calls: [{ id: "b", needs: "result" }] });
  expect(model.requests[0]?.tools).toMatchObject([{ provider: "mock", definition }]);
});

const object = jsonSchema({ type: "object" });
test.each<[object, string]>([
  [{ exectue: () => "" }, "Unknown option `tools[0].exectue`. Did you mean `tools[0].execute`?"],
  [
    { needApproval: true },
    "Unknown option `tools[0].needApproval`. Did you mean `tools[0].needsApproval`?",
  ],
  [{ timeoutMS: 5 }, "Unknown option `tools[0].timeoutMS`. Did you mean `tools[0].timeoutMs`?"],
  [{ color: "red" }, "Unknown option `tools[0].color`. The options are: name, description"],
  [{ execute: "ls" }, '`tools[0].execute` must be a function, not "ls".'],
  [
    { needsApproval: "yes" },
    '`tools[0].needsApproval` must be true, false or a function, not "yes".',
  ],
  [{ concurrency: 0 }, "`tools[0].concurrency` must be a whole number, at least 1, not 0."],
  [{ polls: 1 }, "`tools[0].polls` must be true or false, not 1."],
])("%o of a tool is an error at once", (keys, sentence) => {
  const look = { name: "look", description: "Look.", inputSchema: object, ...keys } as Tool;
  expect(() => run({ adapter: mock([]), prompt: "Go.", tools: [look] })).toThrow(sentence);
});
