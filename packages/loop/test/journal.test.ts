import {
  type JournalOptions,
  jsonSchema,
  type Message,
  type ReviewedCall,
  type RunEvent,
  run,
} from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { afterEach, expect, test, vi } from "vitest";
import { countTimers } from "./count-timers.ts";
import { contents, keys, pay, results, runJournaled, withoutLines } from "./journaled-run.ts";
import { type JournalLine, memoryJournal } from "./memory.ts";
import { eventsOfType, recorder } from "./tools.ts";

afterEach(() => void vi.useRealTimers());

const prompt = "Go.";
test("each reply and each call is a step with its own key, independent of the provider's ids", async () => {
  const journal = memoryJournal();
  const twice = {
    calls: [...pay.calls, ...pay.calls].map((call, n) => ({ ...call, id: `same:${n}` })),
  };
  await runJournaled(journal, [{ stop: null }, twice, twice, "Done."], {
    limits: { concurrency: 1 },
  });
  expect(keys(journal)).toEqual([
    "r",
    "r/1/model",
    "r/1/model/2",
    "r/1/1 begun",
    "r/1/1",
    "r/1/2 begun",
    "r/1/2",
    "r/2/model",
    "r/2/1 begun",
    "r/2/1",
    "r/2/2 begun",
    "r/2/2",
    "r/3/model",
  ]);
});

test("a turn event says whether the reply comes from the journal", async () => {
  const journal = memoryJournal();
  const first = await runJournaled(journal, [{ stop: null }, pay, "Done."]);
  const killed = withoutLines(journal.lines, ({ key }) => key === "r/2/model");
  const second = await runJournaled(killed, ["Done."]);
  const marks = (events: readonly RunEvent[]) =>
    eventsOfType(events, "turn").map(({ replayed = false }) => replayed);
  expect(marks(first.events)).toEqual([false, false, false]);
  expect(marks(second.events)).toEqual([true, true, false]);
});

test("a reply is recorded before its first call starts, and a beginning before the tool starts", async () => {
  const order: string[] = [];
  const journal = memoryJournal([], async ({ key, begun }) => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push(begun ? `${key} begun` : key);
  });
  const spy = recorder("pay", () => {
    order.push("pay");
    return "paid";
  });
  await runJournaled(journal, [pay, "Done."], {
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

test("a run that ended has the same outcome again: no request is sent and no call runs", async () => {
  const journal = memoryJournal();
  const first = await runJournaled(journal, [{ stop: null }, pay, "Done."]);
  const again = await runJournaled(memoryJournal(journal.lines), []);
  expect(again.outcome).toEqual({ ...first.outcome, turn: again.outcome.turn });
  expect(again.outcome.turn).toMatchObject({ stopReason: "stop", text: "Done." });
  expect([again.ran, again.model.requests.length]).toEqual([0, 0]);
  expect(eventsOfType(again.events, "turn").map(({ kept }) => kept)).toEqual([false, true, true]);
  expect(eventsOfType(again.events, "tool-call")).toEqual([]);
  expect(eventsOfType(again.events, "tool-result")).toHaveLength(1);
});

test("the gate checks a reply from the journal again: a call that could not have passed does not run", async () => {
  const journal = memoryJournal();
  await runJournaled(journal, [pay, "Done."]);
  const reply = journal.lines.slice(0, 2);
  expect(JSON.stringify(reply)).not.toContain('"input":{');
  const forged = JSON.parse(
    JSON.stringify(reply).replace('{\\"cents\\":5}', '{\\"cents\\":5'),
  ) as JournalLine[];
  const spy = recorder("pay");
  await expect(runJournaled(memoryJournal(forged), [], { tools: [spy] })).rejects.toThrow(
    "the input of pay cannot be used (input-cut)",
  );
  expect(spy.ran).toEqual([]);
});

test("a call that began and has no recorded end is in doubt, and the other calls of the turn are not", async () => {
  const journal = memoryJournal();
  await runJournaled(journal, [{ calls: [...pay.calls, ...pay.calls] }, "Done."]);
  const killed = withoutLines(
    journal.lines,
    ({ key, begun }) => key === "r/2/model" || (key === "r/1/2" && !begun),
  );
  const { outcome, ran } = await runJournaled(killed, ["Looked."]);
  expect(ran).toBe(0);
  expect(results(outcome.messages)).toMatchObject([
    { content: "paid r/1/1" },
    {
      content: expect.stringMatching(/^pay had started .*outcome is unknown/),
      isError: true,
    },
  ]);
});

test("an idempotent tool has no recorded beginning, and runs again with the same key", async () => {
  const keysSeen: string[] = [];
  const put = {
    ...recorder("pay", (_, { idempotencyKey }) => {
      keysSeen.push(idempotencyKey);
      return "put";
    }),
    idempotent: true,
  };
  const journal = memoryJournal();
  await runJournaled(journal, [pay, "Done."], { tools: [put] });
  expect(keys(journal)).toEqual(["r", "r/1/model", "r/1/1", "r/2/model"]);
  const killed = memoryJournal(journal.lines.slice(0, 2));
  expect(
    contents((await runJournaled(killed, ["Done."], { tools: [put] })).outcome.messages),
  ).toEqual(["put"]);
  expect(keysSeen).toEqual(["r/1/1", "r/1/1"]);
});

test("a recorded result counts, even if the call would be declined today", async () => {
  const journal = memoryJournal();
  await runJournaled(journal, [pay, "Done."]);
  const killed = () => memoryJournal(journal.lines.slice(0, 4));
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
    expect(contents((await runJournaled(killed(), ["Done."], options)).outcome.messages)).toEqual([
      "paid r/1/1",
    ]);
  }
});

test("an abort is not recorded: the same run continues where it stopped", async () => {
  const journal = memoryJournal();
  const controller = new AbortController();
  const onEvent = ({ type }: { readonly type: string }) => type === "turn" && controller.abort();
  const first = await runJournaled(journal, [pay], { signal: controller.signal, onEvent });
  expect(first.outcome.status).toBe("aborted");
  expect(keys(journal)).toEqual(["r", "r/1/model"]);
  const cut = await runJournaled(journal, ["Never."], { signal: AbortSignal.abort() });
  expect([cut.outcome.status, cut.ran]).toEqual(["aborted", 0]);
  const { outcome, ran, model } = await runJournaled(journal, ["Done."]);
  expect([outcome.status, ran, model.requests.length]).toEqual(["done", 1, 1]);
});

test("an aborted reply is requested again", async () => {
  const journal = memoryJournal();
  const controller = new AbortController();
  const onEvent = ({ type }: { readonly type: string }) => type === "text" && controller.abort();
  await runJournaled(journal, ["Half an answer"], { signal: controller.signal, onEvent });
  expect(keys(journal)).toEqual(["r"]);
  expect((await runJournaled(journal, ["Done."])).outcome.text).toBe("Done.");
});

test("a tool that was aborted while it ran has an unknown outcome, and does not run again", async () => {
  const journal = memoryJournal();
  const controller = new AbortController();
  const hangs = recorder("pay", () => {
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  });
  await runJournaled(journal, [pay], { tools: [hangs], signal: controller.signal });
  const { outcome, ran } = await runJournaled(journal, ["Looked."]);
  expect(ran).toBe(0);
  expect(contents(outcome.messages)[0]).toContain("had started when the run was stopped");
});

test("approve decides about a call once per run; after 'later' it is called again", async () => {
  const journal = memoryJournal();
  const asked: unknown[] = [];
  const answers = (decision: "later" | boolean) => (call: ReviewedCall) => {
    asked.push(call.input);
    return decision;
  };
  const first = await runJournaled(journal, [pay], { approve: answers("later") });
  expect([first.outcome.status, first.ran]).toEqual(["waiting", 0]);
  const second = await runJournaled(journal, ["Done."], { approve: answers(true) });
  expect([second.outcome.status, second.ran, asked.length]).toEqual(["done", 1, 2]);
  const killed = withoutLines(journal.lines, ({ key }) => ["r/1/1", "r/2/model"].includes(key));
  const third = await runJournaled(killed, ["Done."], { approve: answers(false) });
  expect([third.ran, asked.length]).toEqual([1, 2]);
});

test("a journaled approval is valid only for the same input", async () => {
  const journal = memoryJournal();
  await runJournaled(journal, [pay, "Done."], { approve: () => true });
  const killed = withoutLines(journal.lines, ({ key }) => ["r/1/1", "r/2/model"].includes(key));
  const changed = {
    "~standard": { ...jsonSchema({})["~standard"], validate: () => ({ value: { cents: 500 } }) },
  };
  const asked: unknown[] = [];
  const approve = ({ input }: ReviewedCall) => {
    asked.push(input);
    return false;
  };
  const spy = Object.assign(recorder("pay"), { inputSchema: changed });
  await runJournaled(killed, ["Done."], { tools: [spy], approve });
  expect(asked).toEqual([{ cents: 500 }]);
  expect(spy.ran).toEqual([]);
});

test("the messages of beforeTurn are journaled, and added once", async () => {
  const journal = memoryJournal();
  const said = [[], [{ role: "user" as const, content: "Hurry." }]];
  const first = await runJournaled(journal, [pay, "Done."], {
    beforeTurn: () => ({ messages: said.shift() }),
  });
  const killed = withoutLines(journal.lines, ({ key }) => key === "r/2/model");
  const again = await runJournaled(killed, ["Done."], {
    beforeTurn: () => ({ messages: [{ role: "user", content: "Never." }] }),
  });
  expect(again.outcome.messages).toEqual(first.outcome.messages);
});

test("a compaction is journaled: a resumed run uses its result", async () => {
  const journal = memoryJournal();
  const history: Message[] = [
    { role: "user", content: "A long story." },
    { role: "assistant", content: [{ type: "text", text: "I listen." }] },
  ];
  const asked = {
    messages: history,
    recovery: { compact: () => [{ role: "user" as const, content: "Go." }] },
  };
  const first = await runJournaled(journal, [{ stop: "context-window" }, pay, "Done."], asked);
  expect(first.outcome.messages).toHaveLength(4);
  const killed = withoutLines(journal.lines, ({ key }) => key === "r/2/model");
  const never = () => {
    throw new Error("compacted again");
  };
  expect(
    (await runJournaled(killed, ["Done."], { ...asked, recovery: { compact: never } })).outcome
      .messages,
  ).toEqual(first.outcome.messages);
});

test("a resumed run does not wait between recorded attempts", async () => {
  const journal = memoryJournal();
  await runJournaled(journal, [{ stop: null }, { stop: null }, "Done."]);
  vi.useFakeTimers();
  const timers = countTimers();
  expect((await runJournaled(memoryJournal(journal.lines), [])).outcome.text).toBe("Done.");
  expect(timers()).toBe(0);
});

test("other messages under the same id are an error before any request", async () => {
  const journal = memoryJournal();
  await runJournaled(journal, [pay, "Done."]);
  const model = mock([]);
  const other = run({
    adapter: model,
    tools: [recorder("pay")],
    prompt: "Something else.",
    journal: { store: journal, runId: "r" },
  });
  await expect(other.outcome()).rejects.toThrow(
    'The journal holds a run "r" that began with other messages.',
  );
  expect(model.requests).toEqual([]);
  expect(
    (
      await runJournaled(journal, ["Hello."], {
        prompt: "Something else.",
        journal: { store: journal, runId: "s" },
      })
    ).outcome.text,
  ).toBe("Hello.");
});

test("a turn that waited continues under another id, not under the id of the run that it ended", async () => {
  const journal = memoryJournal();
  const { outcome } = await runJournaled(journal, [pay], { approve: () => "later" });
  const { messages, turn } = outcome;
  const waiting = { turn, decisions: Object.fromEntries(turn.calls.map(({ id }) => [id, true])) };
  await expect(runJournaled(journal, [], { messages, prompt: undefined, waiting })).rejects.toThrow(
    "began with other messages",
  );
  const next = await runJournaled(journal, ["Done."], {
    messages,
    prompt: undefined,
    waiting,
    journal: { store: journal, runId: "s" },
  });
  expect(contents(next.outcome.messages)).toEqual(["paid s/0/1"]);
  const killed = withoutLines(journal.lines, ({ key }) => key === "s/1/model");
  const last = await runJournaled(killed, ["Done."], {
    messages,
    prompt: undefined,
    waiting,
    journal: { store: killed, runId: "s" },
  });
  expect([contents(last.outcome.messages), last.ran]).toEqual([["paid s/0/1"], 0]);
});

test("the id of the run is the beginning of the idempotency keys", async () => {
  const journal = { store: memoryJournal(), runId: "order-7" };
  const { outcome } = await runJournaled(journal.store, [pay, "Done."], { journal });
  expect(contents(outcome.messages)).toEqual(["paid order-7/1/1"]);
});

test.each([undefined, ""])("a journal without an id (%j) is an error at once", (runId) => {
  const journal = { store: memoryJournal(), runId: runId as string };
  expect(() => run({ adapter: mock([]), prompt, journal })).toThrow(
    "`journal.runId` is missing: without a stable id",
  );
});

test("an id without a journal is an error at once", () => {
  const journal = { runId: "r" } as JournalOptions;
  expect(() => run({ adapter: mock([]), prompt, journal })).toThrow("`journal.store` is missing.");
});
