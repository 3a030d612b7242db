import { validateHistory } from "@fullstop/core";
import { type ReviewedCall, run, type ToolResultBlock, type UserMessage } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { contents, keys, pay, runJournaled as runOnce, withoutLines } from "./journaled-run.ts";
import { type JournalLine, type MemoryJournal, memoryJournal } from "./memory.ts";
import { recorder } from "./tools.ts";

const call = (name: string, mark: string) => ({ name, input: { mark } });
const turns: readonly (string | Say)[] = [
  {
    text: "Side by side.",
    calls: [call("write", "a"), call("write", "b"), call("nowhere", "c"), call("write", "d")],
  },
  { calls: [call("alone", "e"), call("denied", "f"), call("alone", "g")] },
  { calls: [call("put", "h"), call("throws", "i"), call("write", "j")] },
  "Done.",
];

/** One life of a run whose model answers by what it is shown, and drops its connection once. */
async function runJournaled(from: readonly JournalLine[]) {
  const ran: unknown[] = [];
  const note = (name: string, answer: (mark: unknown) => string) =>
    recorder(name, async ({ mark }) => {
      ran.push(mark);
      await new Promise((resolve) => setImmediate(resolve));
      return answer(mark);
    });
  const fail = () => {
    throw new Error("No.");
  };
  const wrote = (mark: unknown) => `wrote ${mark}`;
  const tools = [
    note("write", wrote),
    note("throws", fail),
    note("denied", wrote),
    { ...note("alone", wrote), exclusive: true },
    { ...note("put", wrote), idempotent: true },
  ];
  let dropped = from.some(({ key }) => key === "r/2/model");
  const model = mock(
    Array.from({ length: 12 }, () => ({ messages }) => {
      const at = messages.filter(({ role }) => role === "assistant").length;
      if (at !== 1 || dropped) return turns[at] ?? "Too far.";
      dropped = true;
      return { text: "I was just", stop: null };
    }),
  );
  const asked: unknown[] = [];
  const approve = ({ name, input }: ReviewedCall) => {
    asked.push(input["mark"]);
    return name !== "denied";
  };
  const added: UserMessage = { role: "user", content: "Mind the gap." };
  const journal = memoryJournal(from);
  const outcome = await run({
    adapter: model,
    tools,
    prompt: "Go.",
    recovery: { maxWaitMs: 0 },
    approve,
    beforeTurn: ({ turn }) => ({
      messages: [added],
      ...(turn === 2 && { tools: tools.filter(({ name }) => name !== "put"), system: "Now." }),
    }),
    journal: { store: journal, runId: "r" },
    limits: { concurrency: 2 },
  }).outcome();
  const results = outcome.messages.flatMap((message): readonly ToolResultBlock[] =>
    message.role === "tool" ? message.content : [],
  );
  return { outcome, results, ran, asked, lines: journal.lines, requests: model.requests.length };
}
const markOf = ({ key }: JournalLine) =>
  ["a b c d", "e f g", "h i j"].map((marks) => marks.split(" "))[Number(key.split("/")[1]) - 1]?.[
    Number(key.split("/")[2]) - 1
  ];

test("a run that is killed at any line of its journal can be resumed: no started call runs twice, calls without an end are in doubt, and the conversation is valid", async () => {
  const whole = await runJournaled([]);
  expect(whole.outcome).toMatchObject({ status: "done", text: "Done.", turns: 4 });
  expect(whole.ran.toSorted()).toEqual(["a", "b", "d", "e", "g", "h", "i", "j"]);
  expect(whole.lines.length).toBeGreaterThan(35);
  for (const [at] of whole.lines.entries()) {
    const past = whole.lines.slice(0, at);
    const tools = past.filter(({ key }) => /^r\/\d\/\d$/.test(key));
    const ended = tools.filter((line) => "value" in line).map(markOf);
    const begun = tools.filter((line) => line.begun).map(markOf);
    const doubted = begun.filter((mark) => !ended.includes(mark));

    const { outcome, results, ran, asked, lines } = await runJournaled(past);
    expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 4 });
    expect(validateHistory(outcome.messages)).toEqual([]);
    expect(ran.toSorted()).toEqual(
      whole.ran
        .filter((mark) => !ended.includes(String(mark)) && !begun.includes(String(mark)))
        .toSorted(),
    );
    expect(
      results.filter(({ content }) => String(content).includes("outcome is unknown")),
    ).toHaveLength(doubted.length);
    expect(results.map(({ id }) => id)).toEqual(whole.results.map(({ id }) => id));
    if (doubted.length === 0) expect(outcome.messages).toEqual(whole.outcome.messages);
    const answered = past.flatMap(({ key, kind }) =>
      kind === "approval" ? [markOf({ key })] : [],
    );
    expect(asked).toEqual(whole.asked.filter((mark) => !answered.includes(String(mark))));
    expect(lines.slice(0, at)).toEqual(past);
    expect((await runJournaled(lines)).outcome.messages).toEqual(outcome.messages);
  }
});

test("a turn that an earlier attempt requested again is not ended by options that ask for less", async () => {
  const killed = memoryJournal([], ({ key }) => {
    if (key === "r/2/model") throw new Error("killed");
  });
  const broken: Say = { stop: "error" };
  const fallback = [{ adapter: mock([broken, pay, "Never."]) }];
  await expect(
    runOnce(killed, [broken, broken], { recovery: { requests: 2, fallback } }),
  ).rejects.toThrow("killed");
  expect(keys(killed).slice(1, 5)).toEqual(
    [1, 2, 3, 4].map((at) => `r/1/model${at > 1 ? `/${at}` : ""}`),
  );
  // The fallback is gone, and so is the second request.
  const store = memoryJournal(killed.lines);
  const { outcome, ran, model } = await runOnce(store, ["Done."], { recovery: { requests: 1 } });
  expect([outcome.status, contents(outcome.messages)]).toEqual(["done", ["paid r/1/1"]]);
  expect([ran, model.requests.length]).toEqual([0, 1]);
});

test("a call that its tool completed, and that ran, is not reported as cut by options that ask for notes", async () => {
  const killed = memoryJournal([], ({ key }) => {
    if (key === "r/2/model") throw new Error("killed");
  });
  const write = recorder("write", () => "wrote");
  const input = () => ({ text: "Hel" });
  const tools = [{ ...write, salvage: { continueWith: ["write"], input } }];
  const cut: Say = { calls: [{ name: "write", inputText: '{"text":"Hel' }], stop: "length" };
  const first = runOnce(killed, [cut, "Never."], { tools, recovery: { notes: 0 } });
  await expect(first).rejects.toThrow("killed");
  for (const next of [tools, [write]]) {
    const { outcome } = await runOnce(memoryJournal(killed.lines), ["Done."], { tools: next });
    const isSalvaged = next === tools;
    expect(outcome.status).toBe(isSalvaged ? "done" : "truncated");
    const said = isSalvaged ? [expect.stringContaining("wrote")] : [];
    expect(contents(outcome.messages)).toEqual(said);
    expect(JSON.stringify(outcome.messages)).not.toContain("had no effect");
  }
  expect(write.ran).toHaveLength(1);
});

test.each<[string, Say]>([
  ["a cut text", { text: "Half", stop: "length" }],
  ["a cut call", { calls: [{ name: "pay", inputText: '{"cents":' }], stop: "length" }],
])(
  "the turn after %s joins the conversation, also if the options ask for no notes now",
  async (_, cut) => {
    const killed = memoryJournal([], ({ key }) => {
      if (key === "r/3/model") throw new Error("killed");
    });
    const recovery = { capRaises: 0 };
    await expect(runOnce(killed, [cut, pay, "Never."], { recovery })).rejects.toThrow("killed");
    const more = [
      { notes: 0 },
      { requests: 1 },
      { capRaises: 2 },
      { fallback: [{ adapter: mock([]) }] },
    ];
    for (const changed of more) {
      const store = memoryJournal(killed.lines);
      const { outcome, ran } = await runOnce(store, ["Done."], { recovery: changed });
      expect([outcome.status, contents(outcome.messages), ran]).toEqual([
        "done",
        ["paid r/2/1"],
        0,
      ]);
    }
  },
);

test("a call that was denied before a crash does not run, also if no one has to decide any more", async () => {
  const journal = memoryJournal();
  const { outcome } = await runOnce(journal, [pay], { approve: () => "later" });
  const [{ id }] = (outcome as Extract<typeof outcome, { status: "waiting" }>).calls as [
    ReviewedCall,
  ];
  const waiting = { decisions: { [id]: { deny: "Too much." } } };
  const denied = await runOnce(journal, ["Sorry."], { waiting });
  const killed = (): MemoryJournal => withoutLines(journal.lines, ({ key }) => key === "r/1/1");
  expect(keys(killed())).toContain("r/1/1/approval");
  const paid = { ...recorder("pay", () => "paid"), needsApproval: false };
  for (const options of [{}, { tools: [paid] }]) {
    const again = await runOnce(killed(), [], options);
    expect(contents(again.outcome.messages)).toEqual(["pay was not run: it was denied: Too much."]);
    expect(again.outcome.messages).toEqual(denied.outcome.messages);
  }
});
