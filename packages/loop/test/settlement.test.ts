import {
  agentTool,
  jsonSchema,
  type ReviewedCall,
  type RunOptions,
  run,
  type Settle,
  type Settlement,
  type Tool,
} from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { contents, keys, results, withoutLines } from "./journaled-run.ts";
import { type MemoryJournal, memoryJournal } from "./memory.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const plan = {
  calls: [
    { name: "pay", id: "p", input: { cents: 5 } },
    { name: "look", id: "l", input: {} },
  ],
};
interface Attempt {
  readonly script?: Script;
  readonly settle?: Settle | undefined;
  readonly pay?: Tool;
  readonly options?: Partial<RunOptions>;
}
/** Runs or resumes the run `r` with `pay` and `look`. */
async function attempt(
  store: MemoryJournal,
  { script = ["Done."], settle, pay, options }: Attempt,
) {
  const keysSeen: string[] = [];
  const spy = recorder("pay", (_, { idempotencyKey }) => {
    keysSeen.push(idempotencyKey);
    return "paid";
  });
  const look = recorder("look", () => "seen");
  const { outcome, events } = await runWatched({
    adapter: mock(script),
    tools: [pay ?? spy, look],
    prompt: "Go.",
    journal: { store, runId: "r", ...(settle && { settle }) },
    ...options,
  });
  const settlements = eventsOfType(events, "settlement");
  return { outcome, events, settlements, paid: keysSeen, looked: look.ran.length };
}

/** A run that was killed while `pay` ran: `look` has ended unless `all` calls were killed. */
async function killed(all = false): Promise<MemoryJournal> {
  const store = memoryJournal();
  await attempt(store, { script: [plan, "Done."] });
  const lost = ["r/1/1", "r/2/model", ...(all ? ["r/1/2"] : [])];
  return withoutLines(store.lines, ({ key, begun }) => lost.includes(key) && !begun);
}
const again = (store: MemoryJournal): MemoryJournal =>
  withoutLines(store.lines, ({ key }) => key === "r/2/model");

const unknown = expect.stringContaining("had started when the run was stopped");
const answers: readonly [Settlement, string, unknown][] = [
  [{ result: { paid: 5 } }, "result", '{"paid":5}'],
  ["did-not-happen", "did-not-happen", "paid"],
  ["unknown", "unknown", unknown],
];

test.each(answers)(
  "`settle` answers %j: the event, the result and what runs",
  async (answer, settled, content) => {
    const store = await killed();
    const asked: unknown[] = [];
    const settle: Settle = (call, { tool, signal, idempotencyKey }) => {
      asked.push([call, tool?.name, signal.aborted, idempotencyKey]);
      return answer;
    };
    const { outcome, settlements, paid, looked, events } = await attempt(store, { settle });
    const idempotencyKey = "r/1/1";
    const call = { id: "p", name: "pay", input: { cents: 5 }, needs: "settlement", idempotencyKey };
    expect(asked).toEqual([[call, "pay", false, idempotencyKey]]);
    expect(contents(outcome.messages)).toEqual([content, "seen"]);
    expect(settlements).toMatchObject([{ call, settlement: settled }]);
    expect(settlements[0]?.replayed).toBeUndefined();
    expect([paid, looked]).toEqual([answer === "did-not-happen" ? ["r/1/1"] : [], 0]);
    const doubts = eventsOfType(events, "tool-result").map(({ inDoubt = false }) => inDoubt);
    expect(doubts).toEqual([answer === "unknown", false]);
  },
);

test.each(answers)(
  "a settlement %j is recorded: another policy, or none, changes nothing later",
  async (answer, settled) => {
    const store = await killed();
    const first = await attempt(store, { settle: () => answer });
    const other: Settle = () => {
      throw new Error("asked again");
    };
    for (const settle of [other, undefined]) {
      const next = await attempt(again(store), { settle });
      expect(next.outcome.messages).toEqual(first.outcome.messages);
      expect(next.settlements).toMatchObject([{ settlement: settled, replayed: true }]);
      expect(eventsOfType(next.events, "tool-result")).toMatchObject([
        { replayed: true },
        { replayed: true },
      ]);
      expect([next.paid, next.looked]).toEqual([[], 0]);
    }
  },
);

test("later: the run waits for a settlement, the other calls of the turn run, and nothing runs again", async () => {
  const store = await killed(true);
  const begun = withoutLines(store.lines, ({ key }) => key === "r/1/2");
  const first = await attempt(begun, { settle: () => "later" });
  expect(first.outcome).toMatchObject({
    status: "waiting",
    summary: "The run waits for a settlement of pay.",
    calls: [{ id: "p", name: "pay", needs: "settlement" }],
    messages: [{ role: "user" }],
  });
  expect([first.paid, first.looked]).toEqual([[], 1]);
  expect(first.settlements).toMatchObject([{ settlement: "later" }]);
  const waiting = { settlements: { p: { result: "paid elsewhere" } } };
  const second = await attempt(begun, { options: { waiting } });
  expect(second.outcome).toMatchObject({ status: "done", text: "Done." });
  expect(contents(second.outcome.messages)).toEqual(["paid elsewhere", "seen"]);
  expect([second.paid, second.looked]).toEqual([[], 0]);
});

test.each(answers)(
  "`waiting.settlements` with %j and without `turn` counts before `settle`",
  async (answer, settled, content) => {
    const store = await killed();
    const settle: Settle = () => {
      throw new Error("asked");
    };
    const { outcome, settlements } = await attempt(store, {
      settle,
      options: { waiting: { settlements: { p: answer } } },
    });
    expect(contents(outcome.messages)).toEqual([content, "seen"]);
    expect(settlements).toMatchObject([{ settlement: settled }]);
  },
);

test("a call that did not happen is made again with its key; if it is in doubt again, the old settlement does not count", async () => {
  const store = await killed();
  const waiting = { settlements: { p: "did-not-happen" as const } };
  const first = await attempt(store, { options: { waiting } });
  expect(first.paid).toEqual(["r/1/1"]);
  expect(keys(store).filter((key) => key.startsWith("r/1/1"))).toEqual([
    "r/1/1 begun",
    "r/1/1/settlement",
    "r/1/1/attempt/2 begun",
    "r/1/1/attempt/2",
  ]);
  const twice = withoutLines(
    again(store).lines,
    ({ key, begun }) => key === "r/1/1/attempt/2" && !begun,
  );
  const second = await attempt(twice, { settle: () => "later", options: { waiting } });
  expect(second.outcome).toMatchObject({
    status: "waiting",
    calls: [{ id: "p/attempt/2", needs: "settlement" }],
  });
  expect(second.paid).toEqual([]);
  const more = { settlements: { p: "did-not-happen", "p/attempt/2": "did-not-happen" } } as const;
  const third = await attempt(twice, { options: { waiting: more } });
  expect(third.settlements.map(({ replayed = false }) => replayed)).toEqual([true, false]);
  expect([third.paid, contents(third.outcome.messages)]).toEqual([["r/1/1"], ["paid", "seen"]]);
  expect(keys(twice)).toContain("r/1/1/attempt/3 begun");
});

test("all doubts of a turn are settled one after the other, before a call of the turn starts", async () => {
  const store = memoryJournal();
  const three = { calls: [...plan.calls, { name: "pay", id: "q", input: { cents: 6 } }] };
  await attempt(store, { script: [three, "Done."] });
  const doubted = withoutLines(
    store.lines,
    ({ key, begun }) =>
      key === "r/2/model" || key === "r/1/2" || (/^r\/1\/[13]$/.test(key) && !begun),
  );
  const order: string[] = [];
  const settle: Settle = async ({ id }) => {
    order.push(`asks ${id}`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`knows ${id}`);
    return "did-not-happen" as const;
  };
  const options: Partial<RunOptions> = {
    onEvent: ({ type }) => void (type === "tool-call" && order.push(type)),
  };
  await attempt(doubted, { settle, options });
  const asked = ["asks p", "knows p", "asks q", "knows q"];
  expect(order).toEqual([...asked, "tool-call", "tool-call", "tool-call"]);
});

const strict = {
  ...recorder("pay"),
  inputSchema: jsonSchema({ type: "object", required: ["euros"] }),
};
const { execute: _, ...elsewhere } = recorder("pay");
const changes: readonly [string, Partial<Attempt>][] = [
  ["gone", { pay: recorder("other") }],
  ["denied", { options: { approve: ({ name }: ReviewedCall) => name !== "pay" } }],
  ["stricter", { pay: strict }],
  ["run elsewhere", { pay: elsewhere }],
  ["idempotent", { pay: { ...recorder("pay"), idempotent: true } }],
];
test.each(changes)(
  "a call in doubt is settled although its tool is %s today",
  async (_name, change) => {
    const settled = await attempt(await killed(), {
      settle: () => ({ result: "paid" }),
      ...change,
    });
    expect(contents(settled.outcome.messages)).toEqual(["paid", "seen"]);
    const doubted = await attempt(await killed(), change);
    expect(contents(doubted.outcome.messages)).toEqual([unknown, "seen"]);
  },
);

test.each([
  ["gone", { pay: recorder("other") }, /No tool is named "pay"/],
  ["denied", { options: { approve: ({ name }: ReviewedCall) => name !== "pay" } }, /it was denied/],
  ["stricter", { pay: strict }, /its input is not valid/],
])(
  "a call that did not happen does not run if its tool is %s today",
  async (_name, change, content) => {
    const { outcome, paid } = await attempt(await killed(), {
      settle: () => "did-not-happen",
      ...change,
    });
    expect(contents(outcome.messages)).toEqual([expect.stringMatching(content), "seen"]);
    expect(paid).toEqual([]);
  },
);

test("a call that did not happen needs a result if its tool runs elsewhere today", async () => {
  const store = await killed();
  const options = { pay: elsewhere, settle: () => "did-not-happen" as const };
  const first = await attempt(store, options);
  expect(first.outcome).toMatchObject({ status: "waiting", calls: [{ id: "p", needs: "result" }] });
  const waiting = { results: { p: "paid outside" } };
  const second = await attempt(store, { pay: elsewhere, options: { waiting } });
  expect(contents(second.outcome.messages)).toEqual(["paid outside", "seen"]);
  const third = await attempt(again(store), { pay: elsewhere });
  expect(third.outcome.messages).toEqual(second.outcome.messages);
});

test("a settled tool with `ends` ends the run, and one in doubt does not", async () => {
  const pay = { ...recorder("pay"), ends: true };
  const { outcome } = await attempt(await killed(), { pay, settle: () => ({ result: "paid" }) });
  expect(outcome).toMatchObject({ status: "done", output: { cents: 5 }, turns: 1 });
  expect((await attempt(await killed(), { pay })).outcome).toMatchObject({
    text: "Done.",
    turns: 2,
  });
});

test("a result may be an error, blocks, or longer than `limits.resultChars`", async () => {
  const settled = async (result: Extract<Settlement, object>["result"]) => {
    const options = { limits: { resultChars: 40 } };
    const { outcome } = await attempt(await killed(), { settle: () => ({ result }), options });
    return results(outcome.messages)[0];
  };
  expect(await settled({ content: "refused", isError: true })).toMatchObject({
    content: "refused",
    isError: true,
  });
  const image = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
  expect(await settled([{ type: "text", text: "a receipt" }, image])).toMatchObject({
    content: [{ text: "a receipt" }, image],
  });
  expect(await settled(undefined)).toMatchObject({ content: "pay finished. It has no output." });
  expect(await settled("x".repeat(50))).toMatchObject({
    content: expect.stringContaining("[10 of 50 characters were removed here"),
  });
});

test("if `settle` throws, the run rejects, no call starts, and starting again works", async () => {
  const store = withoutLines((await killed(true)).lines, ({ key }) => key === "r/1/2");
  const before = keys(store);
  const failing = attempt(store, {
    settle: () => {
      throw new Error("no screen");
    },
  });
  await expect(failing).rejects.toThrow("no screen");
  expect(keys(store)).toEqual(before);
  expect(store.ends).toEqual([undefined]);
  const { outcome, looked } = await attempt(store, { settle: () => ({ result: "paid" }) });
  expect([contents(outcome.messages), looked]).toEqual([["paid", "seen"], 1]);
});

test("an abort while `settle` is asked settles nothing, and each call has a result", async () => {
  const store = await killed();
  const before = keys(store);
  const controller = new AbortController();
  const settle: Settle = (_call, { signal }) => {
    setImmediate(() => controller.abort());
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("unknown")));
  };
  const { signal } = controller;
  const first = await attempt(store, { settle, options: { signal } });
  expect(first.outcome.status).toBe("aborted");
  expect(contents(first.outcome.messages)).toEqual([unknown, "seen"]);
  expect([keys(store), first.settlements]).toEqual([before, []]);
  const { outcome } = await attempt(store, { settle: () => ({ result: "paid" }) });
  expect(contents(outcome.messages)).toEqual(["paid", "seen"]);
});

test.each([undefined, true, "yes", {}, { outcome: 1 }])(
  "%j is no settlement, and the error says what is one",
  async (value) => {
    const message = 'It must be `{ result }`, "did-not-happen", "unknown" or "later".';
    const settle = (() => value) as Settle;
    await expect(attempt(await killed(), { settle })).rejects.toThrow(
      `\`journal.settle\` returned a value that is not a settlement. ${message}`,
    );
    if (value === undefined) return;
    const settlements = { p: value as Settlement };
    const journal = { store: memoryJournal(), runId: "r" };
    expect(() =>
      run({ adapter: mock([]), prompt: "Go.", journal, waiting: { settlements } }),
    ).toThrow(
      `\`waiting.settlements\` has for call "p" a value that is not a settlement. ${message}`,
    );
  },
);

test("a settlement without a journal is an error at once", () => {
  const waiting = { settlements: { p: "unknown" as const } };
  expect(() => run({ adapter: mock([]), prompt: "Go.", waiting })).toThrow(
    "`waiting.settlements` needs `journal`",
  );
});

test("a call in a sub-agent is settled by its key, and the rest of both turns is kept", async () => {
  const start = async (
    store: MemoryJournal,
    root: Script,
    inner: Script,
    more: Partial<RunOptions> = {},
  ) => {
    const pay = recorder("pay", () => "paid");
    const agent = agentTool({
      name: "agent",
      description: "An agent.",
      inputSchema: jsonSchema({ type: "object" }),
      run: () => ({ adapter: mock(inner), prompt: "Pay.", tools: [pay] }),
    });
    const journal = { store, runId: "r", settle: () => "later" as const };
    const look = recorder("look", () => "seen");
    const options = { adapter: mock(root), tools: [agent, look], prompt: "Go.", journal, ...more };
    return { ...(await runWatched(options)), paid: pay.ran.length, looked: look.ran.length };
  };
  const calls = [
    { name: "agent", input: {} },
    { name: "look", input: {} },
  ];
  const store = memoryJournal();
  await start(store, [{ calls }, "Done."], [{ calls: plan.calls.slice(0, 1) }, "Paid."]);
  const lost = ["r/2/model", "r/1/1", "r/1/2", "r/1/1/2/model"];
  const cut = withoutLines(
    store.lines,
    ({ key, begun }) => lost.includes(key) || (key === "r/1/1/1/1" && !begun),
  );
  const first = await start(cut, [], []);
  const id = "r/1/1/1/1";
  expect(first.outcome).toMatchObject({ status: "waiting", calls: [{ id, needs: "settlement" }] });
  const waiting = { settlements: { [id]: { result: "paid elsewhere" } } };
  const second = await start(cut, ["Done."], ["Paid."], { waiting });
  expect(contents(second.outcome.messages)).toEqual(["Paid.", "seen"]);
  expect(eventsOfType(second.events, "settlement")).toMatchObject([{ path: ["r/1/1"] }]);
  expect([first.looked, second.looked, first.paid + second.paid]).toEqual([1, 0, 0]);
});
