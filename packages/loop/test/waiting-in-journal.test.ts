import {
  agentTool,
  jsonSchema,
  type Outcome,
  type ReviewedCall,
  type RunOptions,
  run,
  type Tool,
} from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { contents, keys, withoutLines } from "./journaled-run.ts";
import { type MemoryJournal, memoryJournal } from "./memory.ts";
import { call } from "./script-run.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const inputSchema = jsonSchema({ type: "object" });
const ask: Tool = { name: "ask", description: "Asks a person.", inputSchema };
const named = (name: string, id: string, input: object = {}) => ({ name, id, input });
const plan = { calls: [named("look", "l"), named("pay", "p", { cents: 5 }), named("ask", "a")] };
const inner = { calls: [named("pay", "p", { cents: 6 }), named("ask", "a")] };

interface Attempt {
  readonly script?: Script;
  readonly inner?: Script;
  readonly waiting?: RunOptions["waiting"];
  readonly options?: Partial<RunOptions>;
}
/** Runs or resumes the run `r`: `pay` needs a decision, `ask` a result; `agent` has both too. */
async function attempt(
  store: MemoryJournal,
  { script = [], inner: inside = [], waiting, options }: Attempt,
) {
  const paid: unknown[] = [];
  const execute = ({ cents }: Record<string, unknown>): string => {
    paid.push(cents);
    return "paid";
  };
  const pay = { ...recorder("pay"), execute, needsApproval: true };
  const look = recorder("look", () => "seen");
  const model = mock(script);
  const agent = agentTool({
    name: "agent",
    description: "An agent.",
    inputSchema,
    run: () => ({ adapter: mock(inside), prompt: "Pay.", tools: [pay, ask] }),
  });
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [look, pay, ask, agent],
    prompt: "Go.",
    journal: { store, runId: "r" },
    ...(waiting && { waiting }),
    ...options,
  });
  return { outcome, events, paid, looked: look.ran.length, requests: model.requests.length };
}
const needs = (outcome: Outcome): readonly unknown[] =>
  outcome.status === "waiting" ? outcome.calls.map((one) => [one.id, one.needs]) : [outcome.status];
const results = { a: "Blue." };
const decisions = { p: true };

test("a run that waits continues with the same options and its answers, without the turn", async () => {
  const store = memoryJournal();
  const first = await attempt(store, { script: [plan] });
  expect(needs(first.outcome)).toEqual([
    ["p", "decision"],
    ["a", "result"],
  ]);
  expect(first.looked).toBe(0);
  const second = await attempt(store, { script: ["Done."], waiting: { decisions, results } });
  expect(second.outcome).toMatchObject({ status: "done", text: "Done.", turns: 2 });
  expect(contents(second.outcome.messages)).toEqual(["seen", "paid", "Blue."]);
  expect([second.looked, second.paid, second.requests]).toEqual([1, [5], 1]);
  const again = await attempt(memoryJournal(store.lines), {});
  expect(again.outcome.messages).toEqual(second.outcome.messages);
  expect([again.looked, again.paid]).toEqual([0, []]);
});

test("answers may come in several rounds, and an id that no call has changes nothing", async () => {
  const store = memoryJournal();
  await attempt(store, { script: [plan] });
  const wrong = await attempt(store, {
    waiting: { decisions: { q: true }, results: { q: "Red." } },
  });
  expect(needs(wrong.outcome)).toEqual([
    ["p", "decision"],
    ["a", "result"],
  ]);
  const decided = await attempt(store, { waiting: { decisions } });
  expect(needs(decided.outcome)).toEqual([["a", "result"]]);
  expect([decided.looked, decided.paid]).toEqual([0, []]);
  const approval = eventsOfType(decided.events, "approval").at(-1);
  expect(approval).toMatchObject({ decision: "allowed", call: { id: "p" } });
  const answered = await attempt(store, { script: ["Done."], waiting: { results } });
  expect(contents(answered.outcome.messages)).toEqual(["seen", "paid", "Blue."]);
  expect([answered.looked, answered.paid]).toEqual([1, [5]]);
});

test("the same in a sub-agent, with the keys of the calls", async () => {
  const store = memoryJournal();
  const first = await attempt(store, { script: [call("agent")], inner: [inner] });
  expect(needs(first.outcome)).toEqual([
    ["r/1/1/1/1", "decision"],
    ["r/1/1/1/2", "result"],
  ]);
  const wrong = await attempt(store, { waiting: { decisions, results } });
  expect(needs(wrong.outcome)).toEqual(needs(first.outcome));
  const decided = await attempt(store, { waiting: { decisions: { "r/1/1/1/1": true } } });
  expect(needs(decided.outcome)).toEqual([["r/1/1/1/2", "result"]]);
  const last = await attempt(store, {
    script: ["Done."],
    inner: ["Paid."],
    waiting: { results: { "r/1/1/1/2": "Blue." } },
  });
  expect(contents(last.outcome.messages)).toEqual(["Paid."]);
  expect([first, wrong, decided, last].map(({ paid }) => paid)).toEqual([[], [], [], [6]]);
});

test("an answer that was recorded before a crash is not needed again, and another one changes nothing", async () => {
  const whole = memoryJournal();
  await attempt(whole, { script: [plan] });
  await attempt(whole, { script: ["Done."], waiting: { decisions, results } });
  const answered = keys(whole).indexOf("r/1/3");
  expect(keys(whole)[answered - 1]).toBe("r/1/2/approval");
  const store = memoryJournal(whole.lines.slice(0, answered + 1));
  const waiting = { decisions: { p: false }, results: { a: "Red." } };
  for (const more of [{}, { waiting }]) {
    const { outcome, paid, looked } = await attempt(memoryJournal(store.lines), {
      script: ["Done."],
      ...more,
    });
    expect(contents(outcome.messages)).toEqual(["seen", "paid", "Blue."]);
    expect([paid, looked]).toEqual([[5], 1]);
  }
});

test("decisions, results and settlements may be needed together", async () => {
  const store = memoryJournal();
  await attempt(store, { script: [plan] });
  await attempt(store, { script: ["Done."], waiting: { decisions, results } });
  const lost = ["r/1/2", "r/1/3", "r/2/model"];
  const cut = withoutLines(store.lines, ({ key, begun }) => lost.includes(key) && !begun);
  const journal = { store: cut, runId: "r", settle: () => "later" as const };
  const first = await attempt(cut, { options: { journal } });
  expect(needs(first.outcome)).toEqual([
    ["p", "settlement"],
    ["a", "result"],
  ]);
  const waiting = { results, settlements: { p: { result: "paid elsewhere" } } };
  const second = await attempt(cut, { script: ["Done."], waiting });
  expect(contents(second.outcome.messages)).toEqual(["seen", "paid elsewhere", "Blue."]);
  expect([second.looked, second.paid]).toEqual([0, []]);
});

test("answers for a run that the journal does not hold are refused before any request", async () => {
  const store = memoryJournal();
  const model = mock([]);
  for (const waiting of [{ decisions }, { results }, { settlements: { p: "unknown" as const } }])
    await expect(attempt(store, { waiting, options: { adapter: model } })).rejects.toThrow(
      '`waiting` has answers for a run "r", and the journal holds no such run.',
    );
  expect([model.requests.length, store.lines]).toEqual([0, []]);
  expect((await attempt(store, { script: ["Hello."], waiting: {} })).outcome.text).toBe("Hello.");
});

test("the turn and the messages of the outcome do not replace the options of the run", async () => {
  const store = memoryJournal();
  const { outcome } = await attempt(store, { script: [{ calls: [named("look", "l0")] }, plan] });
  const { messages } = JSON.parse(JSON.stringify(outcome)) as Outcome;
  const options = { prompt: undefined, messages };
  await expect(attempt(store, { waiting: { decisions }, options })).rejects.toThrow(
    "To continue it, give the same `messages` and `prompt`.",
  );
});

test("a result for a tool that has an `execute` by now is refused: the tool does not run what has run elsewhere", async () => {
  const store = memoryJournal();
  await attempt(store, { script: [plan] });
  const here = recorder("ask", () => "asked here");
  const options = { tools: [recorder("look"), recorder("pay"), here] };
  await expect(attempt(store, { waiting: { decisions, results }, options })).rejects.toThrow(
    '`waiting.results` has a result of call "a", but "ask" has an `execute`.',
  );
  expect(here.ran).toEqual([]);
});

test("a call whose result is recorded is not decided on again", async () => {
  const store = memoryJournal();
  await attempt(store, { script: [{ calls: [named("look", "l")] }, "Done."] });
  const cut = withoutLines(store.lines, ({ key }) => key === "r/2/model");
  const asked: string[] = [];
  const approve = ({ id }: ReviewedCall): "later" => {
    asked.push(id);
    return "later";
  };
  const { outcome } = await attempt(cut, { script: ["Done."], options: { approve } });
  expect([outcome.status, contents(outcome.messages), asked]).toEqual(["done", ["seen"], []]);
});

test("a step that is not JSON is an error that names it", async () => {
  const store = memoryJournal();
  await attempt(store, { script: [plan] });
  const open: MemoryJournal["open"] = async (runId) => ({
    ...(await store.open(runId)),
    read: async () => ({ state: "ended", json: "{" }),
  });
  await expect(attempt({ ...store, open }, {})).rejects.toMatchObject({
    kind: "damaged",
    message: expect.stringContaining('What the journal holds for the step "r" is not the result'),
  });
});

test("a turn whose calls ran in an earlier attempt continues only in its journal, also if it waits for a decision", async () => {
  const store = memoryJournal();
  const free = { calls: [named("look", "l"), named("look", "m")] };
  await attempt(store, { script: [free, "Done."] });
  const cut = withoutLines(store.lines, ({ key }) => key === "r/2/model" || key === "r/1/2");
  const approve = ({ id }: ReviewedCall) => (id === "m" ? "later" : true) as "later" | true;
  const { outcome } = await attempt(cut, { options: { approve } });
  expect(needs(outcome)).toEqual([["m", "decision"]]);
  const { messages, turn } = JSON.parse(JSON.stringify(outcome)) as Outcome;
  for (const journal of [undefined, { store: memoryJournal(), runId: "s" }])
    expect(() =>
      run({
        adapter: mock([]),
        tools: [recorder("look")],
        messages,
        journal,
        waiting: { turn, decisions: { m: true } },
      }),
    ).toThrow(
      'Do not give it as `waiting.turn`. Give the same options as the run that waited, with `journal.runId` "r"',
    );
  const next = await attempt(cut, {
    script: ["Done."],
    waiting: { decisions: { m: true } },
    options: { approve },
  });
  expect([next.outcome.status, next.looked]).toEqual(["done", 1]);
});

test("a run that began with `waiting.turn` and waits inside it continues with this turn, in its journal only", async () => {
  const store = memoryJournal();
  const waited = await attempt(memoryJournal(), {
    script: [{ calls: [named("pay", "p", { cents: 5 }), named("agent", "g")] }],
    inner: [inner],
  });
  const stored = JSON.parse(JSON.stringify(waited.outcome)) as Outcome;
  const base = { prompt: undefined, messages: stored.messages, journal: { store, runId: "s" } };
  const first = await attempt(store, {
    inner: [inner],
    waiting: { turn: stored.turn, decisions },
    options: base,
  });
  expect(needs(first.outcome)).toEqual([
    ["s/0/2/1/1", "decision"],
    ["s/0/2/1/2", "result"],
  ]);
  expect(first.paid).toEqual([5]);
  const { turn } = JSON.parse(JSON.stringify(first.outcome)) as Outcome;
  const answers = { decisions: { "s/0/2/1/1": true }, results: { "s/0/2/1/2": "Blue." } };
  for (const journal of [undefined, { store, runId: "t" }])
    expect(() =>
      run({ adapter: mock([]), messages: stored.messages, journal, waiting: { turn, decisions } }),
    ).toThrow('Give `journal` with the same store, and the `runId` "s".');
  const unopened = await attempt(store, {
    waiting: { turn, ...answers },
    options: { ...base, signal: AbortSignal.abort() },
  });
  // Nothing says that `pay` was not run: only the journal knows it, and it was not opened.
  expect(unopened.outcome).toMatchObject({ status: "aborted", messages: stored.messages });
  const last = await attempt(store, {
    script: ["Done."],
    inner: ["Paid."],
    waiting: { turn: unopened.outcome.turn, ...answers },
    options: base,
  });
  expect(contents(last.outcome.messages)).toEqual(["paid", "Paid."]);
  expect(last.paid).toEqual([6]);
});

test("an answer is for one call: after a compaction, another call with its id is asked about", async () => {
  const store = memoryJournal();
  const first = { calls: [named("pay", "p", { cents: 5 })] };
  const second = { calls: [named("pay", "p", { cents: 50_000 })] };
  const talk = [
    { role: "user" as const, content: "A long story." },
    { role: "assistant" as const, content: [{ type: "text" as const, text: "I listen." }] },
  ];
  const compact = () => [{ role: "user" as const, content: "Go on." }];
  const options = { messages: talk, recovery: { compact } };
  await attempt(store, { script: [first], options });
  const paid = memoryJournal(store.lines);
  const resume = (journal: MemoryJournal, script: Script) =>
    attempt(journal, { script, waiting: { decisions }, options });
  const full = { stop: "context-window" } as const;
  const live = await resume(paid, [full, second]);
  // It is killed after the first call, and started again with the same options.
  const killed = memoryJournal(paid.lines.slice(0, keys(paid).indexOf("r/1/1") + 1));
  const again = await resume(killed, [full, second]);
  for (const { outcome } of [live, again, await resume(killed, [])])
    expect(outcome).toMatchObject({
      status: "waiting",
      calls: [{ id: "r/2/1", input: { cents: 50_000 } }],
    });
  expect([live.paid, again.paid]).toEqual([[5], []]);
  const waiting = { decisions: { "r/2/1": true } };
  expect((await attempt(killed, { script: ["Done."], waiting, options })).paid).toEqual([50_000]);
});
