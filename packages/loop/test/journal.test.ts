import {
  jsonSchema,
  type Message,
  type ReviewedCall,
  type RunEvent,
  type RunOptions,
  run,
  type ToolResultBlock,
} from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { afterEach, expect, test, vi } from "vitest";
import { type Line, type Memory, memory } from "./memory.ts";
import { only, recorder, watched } from "./tools.ts";

afterEach(() => void vi.useRealTimers());

const prompt = "Go.";
const pay = { calls: [{ name: "pay", input: { cents: 5 } }] };
const results = (messages: readonly Message[]): readonly ToolResultBlock[] =>
  messages.flatMap((message) => (message.role === "tool" ? message.content : []));
const contents = (messages: readonly Message[]) => results(messages).map(({ content }) => content);

/** One life of the run `r`. */
async function life(journal: Memory, script: Script, options: Partial<RunOptions> = {}) {
  const model = mock(script);
  const spy = recorder("pay", (_, { idempotencyKey }) => `paid ${idempotencyKey}`);
  const { outcome, events } = await watched({
    adapter: model,
    tools: [spy],
    prompt,
    journal,
    runId: "r",
    ...options,
  });
  return { outcome, events, model, ran: spy.ran.length };
}
const without = (lines: readonly Line[], unwanted: (line: Line) => boolean) =>
  memory(lines.filter((line) => !unwanted(line)));
const keys = ({ lines }: Memory) => lines.map(({ key, begun }) => (begun ? `${key} begun` : key));

test("each reply and each call is a step with a key of its own, whatever ids the provider gives", async () => {
  const journal = memory();
  const twice = {
    calls: [...pay.calls, ...pay.calls].map((call, n) => ({ ...call, id: `same:${n}` })),
  };
  await life(journal, [{ stop: null }, twice, twice, "Done."], { concurrency: 1 });
  expect(keys(journal)).toEqual([
    ...["r", "r/1/model", "r/1/model/2", "r/1/1 begun", "r/1/1", "r/1/2 begun", "r/1/2"],
    ...["r/2/model", "r/2/1 begun", "r/2/1", "r/2/2 begun", "r/2/2", "r/3/model"],
  ]);
});

test("a turn that comes from the journal says so, and one that was asked for does not", async () => {
  const journal = memory();
  const first = await life(journal, [{ stop: null }, pay, "Done."]);
  const killed = without(journal.lines, ({ key }) => key === "r/2/model");
  const second = await life(killed, ["Done."]);
  const marks = (events: readonly RunEvent[]) =>
    only(events, "turn").map(({ replayed = false }) => replayed);
  expect(marks(first.events)).toEqual([false, false, false]);
  expect(marks(second.events)).toEqual([true, true, false]);
});

test("a reply is remembered before its first call starts, and a beginning before its tool does", async () => {
  const order: string[] = [];
  const journal = memory([], async ({ key, begun }) => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push(begun ? `${key} begun` : key);
  });
  const spy = recorder("pay", () => {
    order.push("pay");
    return "paid";
  });
  await life(journal, [pay, "Done."], {
    tools: [spy],
    onEvent: ({ type }) => type === "tool-result" && order.push(type),
  });
  expect(order).toEqual([
    "r",
    "r/1/model",
    "r/1/1 begun",
    "pay",
    "r/1/1",
    "tool-result",
    "r/2/model",
  ]);
});

test("a run that ended gives its outcome again: nobody is asked and nothing runs", async () => {
  const journal = memory();
  const first = await life(journal, [{ stop: null }, pay, "Done."]);
  const again = await life(memory(journal.lines), []);
  expect(again.outcome).toEqual({ ...first.outcome, turn: again.outcome.turn });
  expect(again.outcome.turn).toMatchObject({ stopReason: "stop", text: "Done." });
  expect([again.ran, again.model.requests.length]).toEqual([0, 0]);
  expect(only(again.events, "turn").map(({ kept }) => kept)).toEqual([false, true, true]);
  expect(only(again.events, "tool-call")).toEqual([]);
  expect(only(again.events, "tool-result")).toHaveLength(1);
});

test("a reply from the journal is licensed anew: one whose call cannot have passed the gate runs nothing", async () => {
  const journal = memory();
  await life(journal, [pay, "Done."]);
  const reply = journal.lines.slice(0, 2);
  expect(JSON.stringify(reply)).not.toContain('"input":{');
  const forged = JSON.parse(
    JSON.stringify(reply).replace('{\\"cents\\":5}', '{\\"cents\\":5'),
  ) as Line[];
  const spy = recorder("pay");
  await expect(life(memory(forged), [], { tools: [spy] })).rejects.toThrow(
    "the input of pay cannot be used (input-cut)",
  );
  expect(spy.ran).toEqual([]);
});

test("a tool that had begun and has no end is in doubt, and the model is told; others of the turn are not", async () => {
  const journal = memory();
  await life(journal, [{ calls: [...pay.calls, ...pay.calls] }, "Done."]);
  const killed = without(
    journal.lines,
    ({ key, begun }) => key === "r/2/model" || (key === "r/1/2" && !begun),
  );
  const { outcome, ran } = await life(killed, ["Looked."]);
  expect(ran).toBe(0);
  expect(results(outcome.messages)).toMatchObject([
    { content: "paid r/1/1" },
    {
      content:
        "pay had started when the run was stopped, and its result was not recorded. Its outcome is unknown. Check what it did before you call pay again.",
      isError: true,
    },
  ]);
});

test("an idempotent tool leaves no beginning, and runs again under the same key", async () => {
  const keysSeen: string[] = [];
  const put = {
    ...recorder("pay", (_, { idempotencyKey }) => {
      keysSeen.push(idempotencyKey);
      return "put";
    }),
    idempotent: true,
  };
  const journal = memory();
  await life(journal, [pay, "Done."], { tools: [put] });
  expect(keys(journal)).toEqual(["r", "r/1/model", "r/1/1", "r/2/model"]);
  const killed = memory(journal.lines.slice(0, 2));
  expect(contents((await life(killed, ["Done."], { tools: [put] })).outcome.messages)).toEqual([
    "put",
  ]);
  expect(keysSeen).toEqual(["r/1/1", "r/1/1"]);
});

test("what a finished call gave counts, whatever would become of the call today", async () => {
  const journal = memory();
  await life(journal, [pay, "Done."]);
  const killed = () => memory(journal.lines.slice(0, 4));
  const strict = {
    ...recorder("pay"),
    inputSchema: jsonSchema({ type: "object", required: ["euros"] }),
  };
  for (const options of [
    { tools: [] },
    { tools: [strict] },
    { approve: () => false },
    { limits: { turns: 1 } },
  ]) {
    expect(contents((await life(killed(), ["Done."], options)).outcome.messages)).toEqual([
      "paid r/1/1",
    ]);
  }
});

test("an abort is not remembered: the same run goes on where it stopped", async () => {
  const journal = memory();
  const controller = new AbortController();
  const onEvent = ({ type }: { readonly type: string }) => type === "turn" && controller.abort();
  const first = await life(journal, [pay], { signal: controller.signal, onEvent });
  expect(first.outcome.status).toBe("aborted");
  expect(keys(journal)).toEqual(["r", "r/1/model"]);
  const cut = await life(journal, ["Never."], { signal: AbortSignal.abort() });
  expect([cut.outcome.status, cut.ran]).toEqual(["aborted", 0]);
  const { outcome, ran, model } = await life(journal, ["Done."]);
  expect([outcome.status, ran, model.requests.length]).toEqual(["done", 1, 1]);
});

test("a reply that was aborted on its way is asked for again", async () => {
  const journal = memory();
  const controller = new AbortController();
  const onEvent = ({ type }: { readonly type: string }) => type === "text" && controller.abort();
  await life(journal, ["Half an answer"], { signal: controller.signal, onEvent });
  expect(keys(journal)).toEqual(["r"]);
  expect((await life(journal, ["Done."])).outcome.text).toBe("Done.");
});

test("a tool that was aborted while it ran is remembered as unknown, and not run again", async () => {
  const journal = memory();
  const controller = new AbortController();
  const hangs = recorder("pay", () => {
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  });
  await life(journal, [pay], { tools: [hangs], signal: controller.signal });
  const { outcome, ran } = await life(journal, ["Looked."]);
  expect(ran).toBe(0);
  expect(contents(outcome.messages)[0]).toContain("had started when the run was aborted");
});

test("an approval is asked for once in the life of a run; 'later' is asked again, and then the run goes on by itself", async () => {
  const journal = memory();
  const asked: unknown[] = [];
  const answers = (decision: "later" | boolean) => (call: ReviewedCall) => {
    asked.push(call.input);
    return decision;
  };
  const first = await life(journal, [pay], { approve: answers("later") });
  expect([first.outcome.status, first.ran]).toEqual(["waiting", 0]);
  const second = await life(journal, ["Done."], { approve: answers(true) });
  expect([second.outcome.status, second.ran, asked.length]).toEqual(["done", 1, 2]);
  const killed = without(journal.lines, ({ key }) => ["r/1/1", "r/2/model"].includes(key));
  const third = await life(killed, ["Done."], { approve: answers(false) });
  expect([third.ran, asked.length]).toEqual([1, 2]);
});

test("an approval holds for the input that was approved: another one is asked about", async () => {
  const journal = memory();
  await life(journal, [pay, "Done."], { approve: () => true });
  const killed = without(journal.lines, ({ key }) => ["r/1/1", "r/2/model"].includes(key));
  const changed = {
    "~standard": { ...jsonSchema({})["~standard"], validate: () => ({ value: { cents: 500 } }) },
  };
  const asked: unknown[] = [];
  const approve = ({ input }: ReviewedCall) => {
    asked.push(input);
    return false;
  };
  const spy = { ...recorder("pay"), inputSchema: changed };
  await life(killed, ["Done."], { tools: [spy], approve });
  expect(asked).toEqual([{ cents: 500 }]);
  expect(spy.ran).toEqual([]);
});

test("what was said to a run is remembered, and said once", async () => {
  const journal = memory();
  const said = [[], [{ role: "user" as const, content: "Hurry." }]];
  const first = await life(journal, [pay, "Done."], { steer: () => said.shift() ?? [] });
  const killed = without(journal.lines, ({ key }) => key === "r/2/model");
  const again = await life(killed, ["Done."], {
    steer: () => [{ role: "user", content: "Never." }],
  });
  expect(again.outcome.messages).toEqual(first.outcome.messages);
});

test("a conversation is compacted once: a resumed run goes on with what came of it", async () => {
  const journal = memory();
  const history: Message[] = [
    { role: "user", content: "A long story." },
    { role: "assistant", content: [{ type: "text", text: "I listen." }] },
  ];
  const asked = { messages: history, compact: () => [{ role: "user" as const, content: "Go." }] };
  const first = await life(journal, [{ stop: "context-window" }, pay, "Done."], asked);
  expect(first.outcome.messages).toHaveLength(4);
  const killed = without(journal.lines, ({ key }) => key === "r/2/model");
  const never = () => {
    throw new Error("compacted again");
  };
  expect((await life(killed, ["Done."], { ...asked, compact: never })).outcome.messages).toEqual(
    first.outcome.messages,
  );
});

test("a resumed run does not wait again between attempts that are remembered", async () => {
  const journal = memory();
  await life(journal, [{ stop: null }, { stop: null }, "Done."]);
  vi.useFakeTimers();
  expect((await life(memory(journal.lines), [])).outcome.text).toBe("Done.");
  expect(vi.getTimerCount()).toBe(0);
});

test("a journal that cannot write ends the run: what has begun is told to stop, nothing new starts, and the outcome rejects", async () => {
  const broken = new Error("no space left");
  let told: AbortSignal | undefined;
  const slow = recorder("slow", (_, { signal }) => {
    told = signal;
    return new Promise(() => {});
  });
  const spy = recorder("pay");
  const journal = memory([], ({ key, begun }) => {
    if (key === "r/1/2" && begun) throw broken;
  });
  const calls = [{ name: "slow", input: {} }, ...pay.calls, ...pay.calls];
  await expect(life(journal, [{ calls }], { tools: [slow, spy], concurrency: 2 })).rejects.toBe(
    broken,
  );
  expect(spy.ran).toEqual([]);
  expect(told?.aborted).toBe(true);
});

test("an abort while a beginning is written keeps the tool from starting, and nothing is in doubt later", async () => {
  const controller = new AbortController();
  const journal = memory([], ({ begun }) => begun && controller.abort());
  const first = await life(journal, [pay], { signal: controller.signal });
  expect([first.outcome.status, first.ran]).toEqual(["aborted", 0]);
  const { outcome, ran } = await life(journal, ["Done."]);
  expect([contents(outcome.messages), ran]).toEqual([
    ["pay was not run: the run was aborted before it started."],
    0,
  ]);
});

test("an abort while somebody is asked is no answer: a resumed run asks again", async () => {
  const journal = memory();
  const controller = new AbortController();
  const approve = () => {
    setImmediate(() => controller.abort());
    return new Promise<boolean>(() => {});
  };
  await life(journal, [pay], { approve, signal: controller.signal });
  expect(keys(journal)).toEqual(["r", "r/1/model"]);
  expect((await life(journal, ["Done."], { approve: () => true })).ran).toBe(1);
});

test("an abort while a conversation is compacted leaves it to the resumed run", async () => {
  const journal = memory();
  const controller = new AbortController();
  const said = [{ role: "user" as const, content: "A long story." }];
  const compact = () => {
    setImmediate(() => controller.abort());
    return new Promise<Message[]>(() => {});
  };
  await life(journal, [{ stop: "context-window" }], {
    messages: said,
    prompt: "And?",
    compact,
    signal: controller.signal,
  });
  const short: Message[] = [{ role: "user", content: "Hm?" }];
  const { outcome } = await life(journal, ["Done."], {
    messages: said,
    prompt: "And?",
    compact: () => short,
  });
  expect(outcome.messages.slice(0, 1)).toEqual(short);
});

test("of calls that wait for their turn none starts once the journal cannot write", async () => {
  const release = Promise.withResolvers<string>();
  const free = {
    ...recorder("free", ({ n }) => (n === 0 ? release.promise : "ran")),
    idempotent: true,
  };
  const journal = memory([], ({ key, begun }) => {
    if (key !== "r/1/2" || !begun) return;
    release.resolve("free");
    throw new Error("no space left");
  });
  const calls = [
    { name: "free", input: { n: 0 } },
    ...pay.calls,
    { name: "free", input: { n: 1 } },
  ];
  await expect(
    life(journal, [{ calls }], { tools: [free, recorder("pay")], concurrency: 2 }),
  ).rejects.toThrow("no space left");
  await new Promise((resolve) => setImmediate(resolve));
  expect(free.ran).toEqual([{ n: 0 }]);
});

test("a reply that cannot be remembered starts no call", async () => {
  const journal = memory([], ({ kind }) => {
    if (kind === "model") throw new Error("no space left");
  });
  const spy = recorder("pay");
  await expect(life(journal, [pay], { tools: [spy] })).rejects.toThrow("no space left");
  expect(spy.ran).toEqual([]);
});

test("another conversation under the same id is refused before anything is asked", async () => {
  const journal = memory();
  await life(journal, [pay, "Done."]);
  const model = mock([]);
  const other = run({
    adapter: model,
    tools: [recorder("pay")],
    prompt: "Something else.",
    journal,
    runId: "r",
  });
  await expect(other.outcome()).rejects.toThrow(
    'The journal holds a run "r" that began with other messages.',
  );
  expect(model.requests).toEqual([]);
  expect(
    (await life(journal, ["Hello."], { prompt: "Something else.", runId: "s" })).outcome.text,
  ).toBe("Hello.");
});

test("a turn that waited goes on under an id of its own, never under that of the run which it ended", async () => {
  const journal = memory();
  const { outcome } = await life(journal, [pay], { approve: () => "later" });
  const { messages, turn } = outcome;
  const waiting = { turn, decisions: Object.fromEntries(turn.calls.map(({ id }) => [id, true])) };
  await expect(life(journal, [], { messages, prompt: undefined, waiting })).rejects.toThrow(
    "began with other messages",
  );
  const next = await life(journal, ["Done."], { messages, prompt: undefined, waiting, runId: "s" });
  expect(contents(next.outcome.messages)).toEqual(["paid s/0/1"]);
  const killed = without(journal.lines, ({ key }) => key === "s/1/model");
  const last = await life(killed, ["Done."], { messages, prompt: undefined, waiting, runId: "s" });
  expect([contents(last.outcome.messages), last.ran]).toEqual([["paid s/0/1"], 0]);
});

test("an id without a journal names the keys that tools get", async () => {
  const { outcome } = await life(memory(), [pay, "Done."], {
    journal: undefined,
    runId: "order-7",
  });
  expect(contents(outcome.messages)).toEqual(["paid order-7/1/1"]);
});

test.each([undefined, ""])("a journal without an id (%j) is refused at once", (runId) => {
  expect(() => run({ adapter: mock([]), prompt, journal: memory(), runId })).toThrow(
    "`journal` requires `runId`",
  );
});
