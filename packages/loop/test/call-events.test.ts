import { jsonSchema, type RunEvent, type RunOptions, type Tool } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { type MemoryJournal, memoryJournal } from "./memory.ts";
import { call } from "./script-run.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const pay: Say = { calls: [{ name: "pay", id: "p", input: { cents: 5 } }] };
async function eventsOf(options: Partial<RunOptions>, say: Say = pay) {
  const { events } = await runWatched({
    adapter: mock([say, "Done."]),
    tools: [recorder("pay")],
    prompt: "Go.",
    ...options,
  });
  return events;
}
const approvals = (events: readonly RunEvent[]) =>
  eventsOfType(events, "approval").map(({ call: { id }, decision, reason, replayed }) => ({
    id,
    decision,
    reason,
    replayed,
  }));
const resultOf = (events: readonly RunEvent[]) => {
  const [event] = eventsOfType(events, "tool-result");
  const { ran, inDoubt, timedOut, replayed } = event ?? {};
  return { ran, inDoubt, timedOut, replayed };
};
const ended = { ran: true, inDoubt: undefined, timedOut: undefined, replayed: undefined };
const timedOut = { ...ended, inDoubt: true, timedOut: true };
const notStarted = { ...ended, ran: false };

test.each<[string, Partial<RunOptions>, object]>([
  ["true", { approve: () => true }, { decision: "allowed" }],
  ["false", { approve: () => false }, { decision: "denied" }],
  ["a reason", { approve: () => ({ deny: "no" }) }, { decision: "denied", reason: "no" }],
  ["later", { approve: () => "later" }, { decision: "later" }],
  [
    "an error",
    { approve: () => Promise.reject(new Error("no screen")) },
    { decision: "denied", reason: "the request for approval failed (no screen)." },
  ],
  [
    "no approve for a tool that needs it",
    { tools: [Object.assign(recorder("pay"), { needsApproval: true })] },
    { decision: "later" },
  ],
])("an approval event says what was decided: %s", async (_, options, expected) => {
  const [event, ...others] = approvals(await eventsOf(options));
  expect(others).toEqual([]);
  expect(event).toEqual({ id: "p", reason: undefined, replayed: undefined, ...expected });
});

test("nothing is reported if nothing was decided", async () => {
  expect(approvals(await eventsOf({}))).toEqual([]);
  const unasked = Object.assign(recorder("pay"), { needsApproval: false });
  expect(approvals(await eventsOf({ tools: [unasked], approve: () => false }))).toEqual([]);
});

test("approvals come before the first call starts, in the order of the calls", async () => {
  const both = { calls: ["n", "p"].map((id) => ({ name: "pay", id, input: {} })) };
  const events = await eventsOf({ approve: () => true }, both);
  const types = events
    .map(({ type }) => type)
    .filter((type) => type === "approval" || type === "tool-call");
  expect(types).toEqual(["approval", "approval", "tool-call", "tool-call"]);
  expect(approvals(events).map(({ id }) => id)).toEqual(["n", "p"]);
});

test("a decision that waiting has is reported, too", async () => {
  const { outcome } = await runWatched({
    adapter: mock([pay]),
    tools: [recorder("pay")],
    prompt: "Go.",
    approve: () => "later",
  });
  const events = await eventsOf({
    adapter: mock(["Done."]),
    prompt: undefined,
    messages: outcome.messages,
    waiting: { turn: outcome.turn, decisions: { p: { deny: "too late" } } },
  });
  expect(approvals(events)).toMatchObject([{ decision: "denied", reason: "too late" }]);
  expect(resultOf(events)).toEqual(notStarted);
});

const strict: Tool = {
  ...recorder("pay"),
  inputSchema: jsonSchema({ type: "object", required: ["euros"] }),
};
test.each<[string, Partial<RunOptions>, object]>([
  ["a call that ran", {}, ended],
  ["a call that failed", { tools: [recorder("pay", () => Promise.reject("no"))] }, ended],
  ["a denied call", { approve: () => false }, notStarted],
  ["an invalid input", { tools: [strict] }, notStarted],
  ["an unknown tool", { tools: [recorder("other")] }, notStarted],
  ["a call that a limit declined", { limits: { turns: 1 } }, notStarted],
  [
    "a call after the time limit of its tool",
    { tools: [{ ...recorder("pay", () => new Promise<string>(() => {})), timeoutMs: 1 }] },
    timedOut,
  ],
])("tool-result says whether the tool was started: %s", async (_, options, expected) => {
  expect(resultOf(await eventsOf(options))).toEqual(expected);
});

test("a call that repeats itself is declined: it did not run", async () => {
  const events = await eventsOf({ adapter: mock([...Array(4).fill(call("pay")), "Done."]) });
  expect(eventsOfType(events, "tool-result").map(({ ran }) => ran)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test("an answer to the provider's own request starts no tool", async () => {
  const request = {
    calls: [
      {
        name: "mcp_approval",
        asks: "approval" as const,
        input: { server_label: "crm", name: "delete" },
      },
    ],
  };
  const events = await eventsOf({ approve: () => true }, request);
  expect(approvals(events)).toMatchObject([{ decision: "allowed" }]);
  expect(resultOf(events)).toEqual(notStarted);
});

test("an abort in progress leaves the outcome in doubt, and an abort at the start does not", async () => {
  const controller = new AbortController();
  const started = recorder("pay", () => {
    controller.abort();
    return new Promise<string>(() => {});
  });
  expect(resultOf(await eventsOf({ tools: [started], signal: controller.signal }))).toEqual({
    ...ended,
    inDoubt: true,
  });

  const early = new AbortController();
  const onEvent = ({ type }: RunEvent): void => {
    if (type === "tool-call") early.abort();
  };
  expect(resultOf(await eventsOf({ signal: early.signal, onEvent }))).toEqual(notStarted);
});

const journaled = (store: MemoryJournal, options: Partial<RunOptions> = {}) =>
  eventsOf({ journal: { store, runId: "r" }, ...options });

test.each<[string, Partial<RunOptions>, object]>([
  ["ran", {}, ended],
  ["was denied", { approve: () => ({ deny: "no" }) }, notStarted],
  [
    "was in doubt",
    { tools: [{ ...recorder("pay", () => new Promise<string>(() => {})), timeoutMs: 1 }] },
    timedOut,
  ],
])("a replayed call says that it is replayed, and that it %s", async (_, options, expected) => {
  const store = memoryJournal();
  const first = await journaled(store, options);
  expect(resultOf(first)).toEqual(expected);
  const again = await journaled(store, { ...options, adapter: mock([]) });
  expect(resultOf(again)).toEqual({ ...expected, replayed: true });
  expect(approvals(again)).toEqual(approvals(first).map((event) => ({ ...event, replayed: true })));
  const [before, after] = [first, again].map((events) =>
    eventsOfType(events, "tool-result").map(({ result }) => result),
  );
  expect(after).toEqual(before);
});

test("a call whose end is not recorded is in doubt, and not replayed", async () => {
  const store = memoryJournal();
  await journaled(store);
  const end = store.lines.findIndex(({ key, begun }) => key === "r/1/1" && !begun);
  store.lines.splice(end);
  expect(resultOf(await journaled(store, { adapter: mock(["Done."]) }))).toEqual({
    ...ended,
    inDoubt: true,
  });
});

test("what happened to the tool is not part of the conversation", async () => {
  const { outcome } = await runWatched({
    adapter: mock([pay, "Done."]),
    tools: [strict],
    prompt: "Go.",
  });
  const result = outcome.messages.find(({ role }) => role === "tool")?.content[0];
  expect(Object.keys(result ?? {}).toSorted()).toEqual([
    "content",
    "id",
    "isError",
    "name",
    "type",
  ]);
});
