import { validateHistory } from "@fullstop/core";
import { type Decision, type Outcome, type RunOptions, run, tool } from "@fullstop/loop";
import { mock, type Say, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { z } from "zod";
import { keys } from "./journaled-run.ts";
import { type MemoryJournal, memoryJournal } from "./memory.ts";
import { resultsIn } from "./script-run.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const plan: Say = {
  calls: [
    { name: "note", id: "n", input: {} },
    { name: "pay", id: "p", input: { cents: 500 } },
  ],
};
type NeedsApproval = boolean | ((input: { readonly cents?: number }) => unknown);

/** A run that calls `note`, and `pay` with this `needsApproval`. */
async function runPaid(
  needsApproval: NeedsApproval | undefined,
  options: Partial<RunOptions> = {},
) {
  const note = recorder("note");
  const pay = Object.assign(recorder("pay"), { needsApproval: needsApproval as never });
  const { outcome, events } = await runWatched({
    adapter: mock([plan, "Done."]),
    tools: [note, pay],
    prompt: "Go.",
    ...options,
  });
  expect(validateHistory(outcome.messages)).toEqual([]);
  return { outcome, events, note, pay, results: resultsIn(outcome.messages) };
}
const fail = () => {
  throw new Error("The rules are gone.");
};

test.each<[string, NeedsApproval | undefined, readonly string[]]>([
  ["nothing", undefined, ["note", "pay"]],
  ["false", false, ["note"]],
  ["true", true, ["note", "pay"]],
  ["a function that returns false", () => false, ["note"]],
  ["a function that resolves to false", async () => false, ["note"]],
  ["a function that returns true", ({ cents = 0 }) => cents > 100, ["note", "pay"]],
  ["a function that returns nothing", () => undefined, ["note", "pay"]],
  ["a function that throws", fail, ["note", "pay"]],
  ["a function that rejects", async () => fail(), ["note", "pay"]],
])("with approve and %s, approve is asked about these calls", async (_, needs, expected) => {
  const asked: string[] = [];
  const { pay } = await runPaid(needs, {
    approve: ({ name }) => {
      asked.push(name);
      return true;
    },
  });
  expect(asked).toEqual(expected);
  expect(pay.ran).toHaveLength(1);
});

test.each<[string, NeedsApproval | undefined, boolean]>([
  ["nothing", undefined, false],
  ["false", false, false],
  ["true", true, true],
  ["a function that returns false", () => false, false],
  ["a function that returns true", () => true, true],
  ["a function that throws", fail, true],
])("without approve and with %s, the run waits: %s", async (_, needs, waits) => {
  const { outcome, note, pay } = await runPaid(needs);
  expect(outcome.status).toBe(waits ? "waiting" : "done");
  if (outcome.status === "waiting")
    expect(outcome.calls).toMatchObject([{ id: "p", needs: "decision" }]);
  expect([note.ran.length, pay.ran.length]).toEqual(waits ? [0, 0] : [1, 1]);
});

test("the function gets the validated input", async () => {
  const seen: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pay.",
    inputSchema: z.object({ cents: z.int(), to: z.string().default("Ada") }),
    needsApproval: (input) => {
      seen.push(input);
      return false;
    },
    execute: (input) => {
      seen.push(input);
      return "paid";
    },
  });
  await run({ adapter: mock([plan, "Done."]), tools: [pay], prompt: "Go." }).outcome();
  expect(seen[0]).toEqual({ cents: 500, to: "Ada" });
  expect(seen[1]).toBe(seen[0]);
});

test("the function is not called for an input that is not valid", async () => {
  const strict = tool({
    name: "pay",
    description: "Pay.",
    inputSchema: z.object({ euros: z.int() }),
    needsApproval: fail,
    execute: () => "paid",
  });
  const { outcome } = await runWatched({
    adapter: mock([plan, "Done."]),
    tools: [recorder("note"), strict],
    prompt: "Go.",
  });
  expect(outcome.status).toBe("done");
});

/** Goes on after `waiting`, with these decisions. */
async function resumed(outcome: Outcome, decisions: Readonly<Record<string, Decision>>) {
  const { messages, turn } = outcome;
  return runPaid(true, {
    adapter: mock(["Done."]),
    prompt: undefined,
    messages,
    waiting: { turn, decisions },
  });
}

test("a decision about the call that needs one is enough: the others run without approve", async () => {
  const { outcome } = await runPaid(true);
  const { results, outcome: end } = await resumed(outcome, { p: true });
  expect(results).toEqual(["ok", "ok"]);
  expect(end.status).toBe("done");
});

test("without the decision the run waits again, and nothing runs", async () => {
  const { outcome } = await runPaid(true);
  const { note, pay, outcome: end } = await resumed(outcome, {});
  expect(end).toMatchObject({ status: "waiting", calls: [{ id: "p" }] });
  expect([note.ran, pay.ran]).toEqual([[], []]);
});

test("an abort while the function hangs runs nothing", async () => {
  const controller = new AbortController();
  const { outcome, note, pay } = await runPaid(
    () => {
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    },
    { signal: controller.signal },
  );
  expect(outcome.status).toBe("aborted");
  expect([note.ran, pay.ran]).toEqual([[], []]);
});

test("a journal remembers that no decision was needed: a replayed call is not asked about", async () => {
  const store = memoryJournal();
  const journal = { store, runId: "r" };
  await runPaid(() => false, { journal });
  const { outcome, pay, events } = await runPaid(() => true, { journal, adapter: mock([]) });
  expect(outcome.status).toBe("done");
  expect(pay.ran).toEqual([]);
  expect(eventsOfType(events, "approval")).toEqual([]);
});

test("a run with a journal that waited asks again, and continues after approve says yes", async () => {
  const store = memoryJournal();
  const journal = { store, runId: "r" };
  expect((await runPaid(true, { journal })).outcome.status).toBe("waiting");
  const { outcome, pay } = await runPaid(true, {
    journal,
    adapter: mock(["Done."]),
    approve: () => true,
  });
  expect(outcome.status).toBe("done");
  expect(pay.ran).toHaveLength(1);
});

test("approve gets the tool that would run, and nothing for a request of the provider", async () => {
  const seen: unknown[] = [];
  const requested: Say = {
    calls: [
      { name: "pay", id: "p", input: {} },
      {
        name: "mcp_approval",
        asks: "approval",
        id: "m",
        input: { server_label: "crm", name: "delete" },
      },
    ],
  };
  const pay = recorder("pay");
  await runWatched({
    adapter: mock([requested, "Done."]),
    tools: [pay],
    prompt: "Go.",
    approve: (_, { tool: asked, signal }) => {
      seen.push(asked);
      expect(signal.aborted).toBe(false);
      return true;
    },
  });
  expect(seen[0]).toBe(pay);
  expect(seen[1]).toBeUndefined();
});

test("an input with a bigint, which JSON cannot hold, waits, is decided on and runs", async () => {
  const cents = z.string().transform(BigInt);
  const paid: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ cents }),
    needsApproval: true,
    execute: (input) => {
      paid.push(input.cents);
      return "paid";
    },
  });
  const large = { cents: "12345678901234567890" };
  const attempt = (store: MemoryJournal, script: Script, waiting?: RunOptions["waiting"]) =>
    runWatched({
      adapter: mock(script),
      tools: [pay],
      prompt: "Go.",
      journal: { store, runId: "r" },
      ...(waiting && { waiting }),
    });
  const store = memoryJournal();
  const first = await attempt(store, [{ calls: [{ name: "pay", id: "p", input: large }] }]);
  expect(first.outcome).toMatchObject({ status: "waiting", calls: [{ id: "p", input: large }] });
  expect(JSON.stringify(store.ends)).toContain(large.cents);
  const decided = await attempt(store, ["Done."], { decisions: { p: { allow: large } } });
  // It is killed after the decision, which is not needed again.
  const killed = memoryJournal(store.lines.slice(0, keys(store).indexOf("r/1/1/approval") + 1));
  const again = await attempt(killed, ["Done."]);
  expect([decided.outcome.status, again.outcome.status]).toEqual(["done", "done"]);
  for (const { events } of [first, decided, again])
    expect(eventsOfType(events, "approval")).toMatchObject([{ call: { input: large } }]);
  expect(paid).toEqual([BigInt(large.cents), BigInt(large.cents)]);
});

test("a recorded decision that this release does not know is not a yes: the call is asked about anew", async () => {
  const reviewed = JSON.stringify({ cents: 500 });
  const options = { journal: { store: memoryJournal(), runId: "r" } };
  await runPaid(true, options);
  for (const ruling of ["no", "allowed-once", undefined, { allow: true }]) {
    const lines = [
      ...options.journal.store.lines.filter(({ key }) => key !== "r/1/2/approval"),
      { key: "r/1/2/approval", kind: "approval", value: { ruling, reviewed } },
    ];
    const store = memoryJournal(lines);
    const { outcome, pay } = await runPaid(true, { journal: { store, runId: "r" } });
    expect([outcome.status, pay.ran]).toEqual(["waiting", []]);
  }
});
