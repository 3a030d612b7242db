import { repairHistory, validateHistory } from "@fullstop/core";
import {
  type Decision,
  type Message,
  type Outcome,
  type ReviewedCall,
  type RunOptions,
  run,
} from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const plan = {
  text: "I pay and note it.",
  calls: [
    { name: "note", id: "n", input: { line: "paid" } },
    { name: "pay", id: "p", input: { cents: 500 } },
  ],
};
type Waited = Extract<Outcome, { status: "waiting" }>;

/** A run that waits for a decision about `pay`. */
async function waited(options: Partial<RunOptions> = {}) {
  const tools = [recorder("note"), recorder("pay")] as const;
  const approve = ({ name }: ReviewedCall): Decision => (name === "pay" ? "later" : true);
  const { outcome, events } = await runWatched({
    adapter: mock([plan]),
    tools,
    approve,
    prompt: "Pay.",
    ...options,
  });
  return { outcome: outcome as Waited, events, tools };
}
/** As it comes back from a database. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Goes on with what was stored of a run. */
async function resumed(
  { messages, turn }: Outcome,
  decisions: Readonly<Record<string, Decision>>,
  more: Partial<RunOptions> & { script?: Script } = {},
) {
  const tools = [recorder("note"), recorder("pay")] as const;
  const { script = ["Paid."], ...options } = more;
  const model = mock(script);
  const waiting = { turn: stored(turn), decisions };
  const { outcome, events } = await runWatched({
    adapter: model,
    tools,
    messages: stored(messages),
    waiting,
    ...options,
  });
  const results = outcome.messages.flatMap((message) =>
    message.role === "tool" ? message.content : [],
  );
  return { outcome, events, results, tools, model };
}
const both = { n: true, p: true };
const ran = (tools: readonly { readonly ran: unknown[] }[]) => tools.map((tool) => tool.ran.length);

test("a later decision ends the run before any call of the turn has run", async () => {
  const { outcome, events, tools } = await waited();
  expect(outcome).toMatchObject({
    status: "waiting",
    calls: [{ id: "p", name: "pay", input: { cents: 500 } }],
    text: "I pay and note it.",
  });
  expect(outcome.summary).toBe("The run waits for a decision about pay.");
  expect(outcome.turn.calls).toHaveLength(2);
  expect(ran(tools)).toEqual([0, 0]);
  expect(eventsOfType(events, "tool-call")).toEqual([]);
  expect(eventsOfType(events, "tool-result")).toEqual([]);
});

test("the messages of a waiting run are a valid conversation without open calls", async () => {
  const { outcome } = await waited();
  const messages = stored(outcome.messages);
  expect(validateHistory(messages)).toEqual([]);
  expect(repairHistory(messages).repaired).toEqual([]);
  expect(JSON.stringify(messages)).not.toContain("tool-call");
});

test("text() rejects while a run waits", async () => {
  const waiting = run({
    adapter: mock([plan]),
    tools: [recorder("note"), recorder("pay")],
    approve: () => "later",
    prompt: "Pay.",
  });
  await expect(waiting.text()).rejects.toMatchObject({
    outcome: { status: "waiting", calls: [{ id: "n" }, { id: "p" }] },
  });
});

test("a stored run continues with the decided calls, in their order, and then with the model", async () => {
  const { outcome } = await waited();
  const next = await resumed(outcome, both);
  expect(next.tools.map((tool) => tool.ran)).toEqual([[{ line: "paid" }], [{ cents: 500 }]]);
  expect(next.results.map(({ id }) => id)).toEqual(["n", "p"]);
  expect(next.outcome).toMatchObject({ status: "done", text: "Paid.", turns: 1 });
  expect(next.outcome.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  expect(next.model.requests[0]?.messages).toEqual(next.outcome.messages.slice(0, 3));
  expect(next.outcome.messages[1]).toEqual(stored(outcome.turn.message));
  expect(validateHistory(next.outcome.messages)).toEqual([]);
});

test.each<[string, Decision, string]>([
  ["false", false, "pay was not run: it was denied."],
  ["a reason", { deny: "too much" }, "pay was not run: it was denied: too much"],
  [
    "an answer for another input",
    { allow: { cents: 5 } },
    "pay was not run: the program allowed it only with another input, which you did not write. That input did not run either. Do not repeat the call unchanged.",
  ],
])(
  "denied later, with %s: the model gets the reason, and the other calls run",
  async (_, decision, content) => {
    const { outcome } = await waited();
    const { tools, results, outcome: end } = await resumed(outcome, { n: true, p: decision });
    expect(ran(tools)).toEqual([1, 0]);
    expect(results).toMatchObject([{ content: "ok" }, { content, isError: true }]);
    expect(end.status).toBe("done");
  },
);

test("a decision with an input is valid for this input only, even if the stored turn was changed", async () => {
  const { outcome } = await waited();
  const [reviewed] = stored(outcome.calls);
  const decisions = { n: true, p: { allow: reviewed?.input ?? {} } };
  expect(ran((await resumed(outcome, decisions)).tools)).toEqual([1, 1]);

  const tampered = JSON.parse(
    JSON.stringify(outcome).replace('{\\"cents\\":500}', '{\\"cents\\":50000}'),
  ) as Outcome;
  expect(JSON.stringify(tampered.turn)).toContain("50000");
  const { tools, results } = await resumed(tampered, decisions);
  expect(ran(tools)).toEqual([1, 0]);
  expect(results[1]?.content).toBe(
    "pay was not run: the program allowed it only with another input, which you did not write. That input did not run either. Do not repeat the call unchanged.",
  );
});

test("approve decides about calls that are missing in the decisions", async () => {
  const { outcome } = await waited();
  const asked: string[] = [];
  const approve = ({ name }: ReviewedCall): Decision => {
    asked.push(name);
    return { deny: "not any more" };
  };
  const { tools, results } = await resumed(outcome, { p: true }, { approve });
  expect(asked).toEqual(["note"]);
  expect(ran(tools)).toEqual([0, 1]);
  expect(results[0]?.content).toBe("note was not run: it was denied: not any more");
});

test("a run may wait again, for as long as it takes", async () => {
  const { outcome } = await waited();
  const again = await resumed(outcome, { n: true, p: "later" }, { script: [] });
  expect(again.outcome).toMatchObject({ status: "waiting", calls: [{ id: "p" }], turns: 0 });
  expect(again.outcome.messages).toEqual(outcome.messages);
  expect(ran(again.tools)).toEqual([0, 0]);
  expect(ran((await resumed(again.outcome, both)).tools)).toEqual([1, 1]);
});

test("a run that waited in a later turn keeps the whole conversation", async () => {
  const approve = ({ name }: ReviewedCall): Decision => (name === "pay" ? "later" : true);
  const first = { calls: [{ name: "note", input: { line: "begun" } }] };
  const { outcome } = await waited({ adapter: mock([first, plan]), approve });
  expect(outcome.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  const next = await resumed(outcome, both);
  expect(next.outcome.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
    "assistant",
  ]);
});

test("the turn that waited counts for a forced tool choice, but not for limits.turns", async () => {
  const { outcome } = await waited();
  const {
    model,
    tools,
    outcome: end,
  } = await resumed(outcome, both, { request: { toolChoice: "required" }, limits: { turns: 1 } });
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto"]);
  expect(ran(tools)).toEqual([1, 1]);
  expect(end).toMatchObject({ status: "done", turns: 1 });
});

test("the keys of the turn that waited are unique", async () => {
  const keys: string[] = [];
  const pay = recorder("pay", (_, { idempotencyKey }) => {
    keys.push(idempotencyKey);
    return "paid";
  });
  const { outcome } = await waited();
  const script = [{ calls: [{ name: "pay", input: {} }] }, "Done."];
  await resumed(outcome, both, { tools: [recorder("note"), pay], script });
  expect(keys.map((key) => key.replace(/^[0-9a-f-]{36}/, "run"))).toEqual(["run/0/2", "run/1/1"]);
});

test("an abort before a resumed run starts runs nothing and says so", async () => {
  const { outcome } = await waited();
  const {
    outcome: end,
    tools,
    results,
    model,
  } = await resumed(outcome, both, { signal: AbortSignal.abort(), script: [] });
  expect(end.status).toBe("aborted");
  expect(ran(tools)).toEqual([0, 0]);
  expect(results.map(({ content }) => content)).toEqual([
    "note was not run: the run was aborted before it started.",
    "pay was not run: the run was aborted before it started.",
  ]);
  expect(model.requests).toEqual([]);
});

const turnWith = (change: (turn: Record<string, unknown>) => object) => async () => {
  const { outcome } = await waited();
  return { ...outcome, turn: change(stored(outcome.turn) as never) as never };
};
const same = turnWith((turn) => turn);
test.each<
  [
    string,
    () => Promise<Outcome>,
    { readonly decisions: Readonly<Record<string, Decision>>; readonly sentence: string },
  ]
>([
  ["no turn", turnWith(() => ({})), { decisions: both, sentence: "This is not a stored turn" }],
  [
    "a reason under which nothing runs",
    turnWith((turn) => ({ ...turn, stopReason: "length" })),
    { decisions: both, sentence: "its message contains calls" },
  ],
  [
    "a turn without calls",
    turnWith((turn) => ({ ...turn, stopReason: "stop", message: undefined })),
    { decisions: both, sentence: 'it ended with "stop"' },
  ],
  [
    "calls without their blocks",
    turnWith((turn) => ({ ...turn, message: { role: "assistant", content: [] } })),
    { decisions: both, sentence: "a turn with tool-use needs a call" },
  ],
  [
    "a decision for a call of nobody",
    same,
    { decisions: { ...both, x: true }, sentence: '`waiting.decisions` names "x"' },
  ],
  [
    "a call that nobody decides on",
    same,
    {
      decisions: { p: true },
      sentence: 'has no decision about call "n"',
    },
  ],
  [
    "a decision that is not there",
    same,
    { decisions: { p: true, n: undefined as never }, sentence: 'has no decision about call "n"' },
  ],
  [
    "a decision that an object inherits",
    same,
    { decisions: Object.create(both), sentence: 'has no decision about call "n"' },
  ],
])("run throws at once, and no call runs, for %s", async (_, make, { decisions, sentence }) => {
  const { turn, messages } = await make();
  const tools = [recorder("note"), recorder("pay")];
  expect(() => run({ adapter: mock([]), tools, messages, waiting: { turn, decisions } })).toThrow(
    sentence,
  );
  expect(ran(tools)).toEqual([0, 0]);
});

test("a stored turn with a cut input is an error at once, after any decision", async () => {
  const { outcome } = await waited();
  const cut = JSON.parse(
    JSON.stringify(outcome).replace('{\\"cents\\":500}', '{\\"cents\\":5'),
  ) as Outcome;
  expect(() =>
    run({
      adapter: mock([]),
      tools: [],
      messages: cut.messages,
      waiting: { turn: cut.turn, decisions: both },
    }),
  ).toThrow("the input of pay cannot be used (input-cut)");
});

test("no call runs from messages alone: a conversation with an open call is not valid, and its repair runs nothing", async () => {
  const { outcome } = await waited();
  const open = [...outcome.messages, outcome.turn.message as Message];
  const tools = [recorder("note"), recorder("pay")];
  expect(() => run({ adapter: mock([]), tools, messages: open })).toThrow("call-without-result");
  expect(() =>
    run({
      adapter: mock([]),
      tools,
      messages: open,
      waiting: { turn: outcome.turn, decisions: both },
    }),
  ).toThrow("call-without-result");
  const { messages } = repairHistory(open);
  await run({ adapter: mock(["Hm."]), tools, messages }).outcome();
  expect(ran(tools)).toEqual([0, 0]);
});

test("a turn that is already in the conversation cannot continue again", async () => {
  const { outcome } = await waited();
  const { outcome: done } = await resumed(outcome, both);
  const twice = () =>
    run({
      adapter: mock([]),
      tools: [],
      messages: done.messages,
      waiting: { turn: outcome.turn, decisions: both },
    });
  expect(twice).toThrow("`waiting.turn` does not continue `messages`");
});

test("a prompt cannot be added between calls and their results", async () => {
  const { outcome } = await waited();
  const { messages, turn } = outcome;
  expect(() =>
    run({
      adapter: mock([]),
      tools: [],
      messages,
      prompt: "And?",
      waiting: { turn, decisions: both },
    }),
  ).toThrow("`prompt` cannot be combined with `waiting.turn`");
});
