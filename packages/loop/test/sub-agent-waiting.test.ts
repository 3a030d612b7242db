import {
  type AgentOptions,
  agentTool,
  type Decision,
  jsonSchema,
  type RunOptions,
  run,
  type Tool,
} from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { contents, keys } from "./journaled-run.ts";
import { type MemoryJournal, memoryJournal } from "./memory.ts";
import { call, calls } from "./script-run.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const inputSchema = jsonSchema({ type: "object" });
const agent = (name: string, options: () => AgentOptions): Tool =>
  agentTool({ name, description: "An agent.", inputSchema, run: options });

interface Attempt {
  readonly root?: Script;
  readonly inner?: Script;
  readonly agent?: Partial<AgentOptions>;
  readonly options?: Partial<RunOptions>;
}
/** Runs or resumes a run with `look` and the sub-agent `inner`, which has `pay`. */
async function attempt(
  store: MemoryJournal,
  { root = [], inner = [], agent: more, options }: Attempt,
) {
  const pay = recorder("pay", (_, { idempotencyKey }) => `paid ${idempotencyKey}`);
  const look = recorder("look");
  const models = [mock(root), mock(inner)] as const;
  const tool = agent("inner", () => ({
    adapter: models[1],
    prompt: "Pay.",
    tools: [pay],
    ...more,
  }));
  const { outcome, events } = await runWatched({
    adapter: models[0],
    tools: [look, tool],
    prompt: "Go.",
    approve: ({ name }) => (name === "pay" ? "later" : true),
    journal: { store, runId: "r" },
    ...options,
  });
  return {
    outcome,
    events,
    ran: [look.ran.length, pay.ran.length],
    asked: models.map(({ requests }) => requests.length),
  };
}
const begin: Attempt = { root: [calls("look", "inner"), "Never."], inner: [call("pay"), "Never."] };
/** What a program stores, and reads days later. */
const resuming = (
  outcome: Awaited<ReturnType<typeof attempt>>["outcome"],
  decision: Decision,
): Partial<RunOptions> => {
  const ids = outcome.status === "waiting" ? outcome.calls.map(({ id }) => id) : [];
  const decisions = Object.fromEntries(ids.map((id) => [id, decision]));
  return { waiting: { decisions } };
};

test("a sub-agent that waits makes the run wait, with the keys of the calls, and the rest of the turn is kept", async () => {
  const store = memoryJournal();
  const first = await attempt(store, begin);
  expect(first.outcome).toMatchObject({
    status: "waiting",
    summary: "The run waits for a decision about pay.",
    calls: [{ id: "r/1/2/1/1", name: "pay", needs: "decision" }],
    messages: [{ role: "user" }],
  });
  expect([first.ran, first.asked]).toEqual([
    [1, 0],
    [1, 1],
  ]);
  expect(keys(store)).not.toContain("r/1/2");
  const inside = eventsOfType(first.events, "end").map(({ outcome: { status } }) => status);
  expect(inside).toEqual(["waiting", "waiting"]);
});

test("`waiting` resumes it, and nothing that ran runs again", async () => {
  const store = memoryJournal();
  const first = await attempt(store, begin);
  const options = resuming(first.outcome, true);
  const approve: RunOptions["approve"] = () => {
    throw new Error("asked again");
  };
  const second = await attempt(store, {
    root: ["Done."],
    inner: ["Paid."],
    options: { ...options, approve },
  });
  expect(second.outcome).toMatchObject({ status: "done", text: "Done." });
  expect(contents(second.outcome.messages)).toEqual(["ok", "Paid."]);
  expect([second.ran, second.asked]).toEqual([
    [0, 1],
    [1, 1],
  ]);
  const inside = eventsOfType(second.events, "tool-result").filter(({ path }) => path.length > 0);
  expect(inside.map(({ result }) => result.content)).toEqual(["paid r/1/2/1/1"]);

  const killed = memoryJournal(store.lines.slice(0, keys(store).indexOf("r/1/2")));
  const again = await attempt(killed, {
    root: ["Done."],
    options: resuming(first.outcome, true),
  });
  expect(again.outcome).toMatchObject({ status: "done", text: "Done." });
  expect([again.ran, again.asked]).toEqual([
    [0, 0],
    [1, 0],
  ]);
});

test("a denial reaches the model of the sub-agent", async () => {
  const store = memoryJournal();
  const first = await attempt(store, begin);
  const options = resuming(first.outcome, { deny: "too much" });
  const second = await attempt(store, { root: ["Done."], inner: ["Not paid."], options });
  expect(contents(second.outcome.messages)).toEqual(["ok", "Not paid."]);
  expect(second.ran).toEqual([0, 0]);
  const inside = eventsOfType(second.events, "tool-result").filter(({ path }) => path.length > 0);
  expect(inside[0]?.result.content).toBe("pay was not run: it was denied: too much");
});

test("the same run can also be started again, with an `approve` that decides now", async () => {
  const store = memoryJournal();
  await attempt(store, begin);
  const asked: string[] = [];
  const approve: RunOptions["approve"] = ({ id }) => {
    asked.push(id);
    return true;
  };
  const second = await attempt(store, { root: ["Done."], inner: ["Paid."], options: { approve } });
  expect(second.outcome).toMatchObject({ status: "done", text: "Done." });
  expect(asked).toEqual(["r/1/2/1/1"]);
  expect([second.ran, second.asked]).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

test("a sub-agent may wait several times", async () => {
  const store = memoryJournal();
  const first = await attempt(store, begin);
  const second = await attempt(store, {
    inner: [call("pay", { more: true })],
    options: resuming(first.outcome, true),
  });
  expect(second.outcome).toMatchObject({ status: "waiting", calls: [{ id: "r/1/2/2/1" }] });
  const third = await attempt(store, {
    root: ["Done."],
    inner: ["Paid twice."],
    options: resuming(second.outcome, true),
  });
  expect(contents(third.outcome.messages)).toEqual(["ok", "Paid twice."]);
  expect([second.ran, third.ran]).toEqual([
    [0, 1],
    [0, 1],
  ]);
});

test("a result from outside reaches a call of a sub-agent of a sub-agent", async () => {
  const store = memoryJournal();
  const ask: Tool = { name: "ask", description: "Asks a person.", inputSchema };
  const middle = (script: Script, deep: Script): Tool =>
    agent("middle", () => ({
      adapter: mock(script),
      prompt: "Ask.",
      tools: [agent("deep", () => ({ adapter: mock(deep), prompt: "Ask.", tools: [ask] }))],
    }));
  const first = await runWatched({
    adapter: mock([call("middle")]),
    tools: [middle([call("deep")], [call("ask")])],
    prompt: "Go.",
    journal: { store, runId: "r" },
  });
  const id = "r/1/1/1/1/1/1";
  expect(first.outcome).toMatchObject({ status: "waiting", calls: [{ id, needs: "result" }] });
  const second = await runWatched({
    adapter: mock(["Done."]),
    tools: [middle(["Middle."], [({ messages: said }) => JSON.stringify(said.at(-1))])],
    prompt: "Go.",
    waiting: { results: { [id]: "Blue." } },
    journal: { store, runId: "r" },
  });
  expect(second.outcome).toMatchObject({ status: "done", text: "Done." });
  const deep = eventsOfType(second.events, "turn").find(({ path }) => path.length === 2);
  expect(deep).toBeDefined();
  expect(store.lines.find(({ key }) => key === "r/1/1/1/1")?.value).toMatchObject({
    content: expect.stringContaining("Blue."),
  });
});

test("without the steps of the turn it is not resumed: they would run again", async () => {
  const store = memoryJournal();
  const { outcome } = await attempt(store, begin);
  const { messages, turn } = JSON.parse(JSON.stringify(outcome)) as typeof outcome;
  const start = (more: Partial<RunOptions>) => () =>
    run({ adapter: mock([]), tools: [recorder("look")], messages, waiting: { turn }, ...more });
  for (const journal of [undefined, { store, runId: "s" }, { store, runId: "r" }])
    expect(start({ journal })).toThrow("Do not give it as `waiting.turn`. Give the same options");
  expect(start({ waiting: { decisions: {} } })).toThrow("`waiting.turn` is missing.");
});
