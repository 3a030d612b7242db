import { type Outcome, type RunOptions, run, type Tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { type MemoryJournal, memoryJournal } from "./memory.ts";
import { recorder } from "./tools.ts";

const script = [{ calls: [{ name: "pay", id: "p", input: { cents: 5 } }] }, "Paid."] as const;

/** Runs or resumes the run `r`, whose tool `pay` has this revision. */
async function attempt(
  store: MemoryJournal,
  revision: string | undefined,
  options: Partial<RunOptions> = {},
): Promise<{ readonly outcome: Outcome; readonly paid: number }> {
  const pay = recorder("pay");
  const replies = store.lines.some(({ kind }) => kind === "model") ? ["Paid."] : script;
  const tool: Tool = { ...pay, needsApproval: true, ...(revision !== undefined && { revision }) };
  const outcome = await run({
    adapter: mock([...replies]),
    tools: [tool],
    prompt: "Pay.",
    journal: { store, runId: "r" },
    ...options,
  }).outcome();
  return { outcome, paid: pay.ran.length };
}

const decide = (outcome: Outcome): Partial<RunOptions> => {
  if (outcome.status !== "waiting") throw new Error(`The run did not wait: ${outcome.status}.`);
  return {
    waiting: { decisions: Object.fromEntries(outcome.calls.map(({ id }) => [id, true])) },
  };
};

test("a person sees the revision, and a decision counts for it", async () => {
  const store = memoryJournal();
  const { outcome } = await attempt(store, "one");
  expect(outcome).toMatchObject({ status: "waiting", calls: [{ name: "pay", revision: "one" }] });
  const resumed = await attempt(store, "one", decide(outcome));
  expect(resumed.paid).toBe(1);
});

test("a decision about another revision does not count, and the call is asked about anew", async () => {
  const store = memoryJournal();
  const { outcome } = await attempt(store, "one");
  const changed = await attempt(store, "two", decide(outcome));
  expect(changed.paid).toBe(0);
  expect(changed.outcome).toMatchObject({ status: "waiting", calls: [{ revision: "two" }] });
  const again = await attempt(store, "two", decide(changed.outcome));
  expect(again.paid).toBe(1);
});

test("a recorded decision is asked for again after the revision changed", async () => {
  const store = memoryJournal();
  const asked: (string | undefined)[] = [];
  const stop = new AbortController();
  const approve: RunOptions["approve"] = ({ revision }) => {
    asked.push(revision);
    return true;
  };
  const onEvent: RunOptions["onEvent"] = ({ type }) => {
    if (type === "tool-call") stop.abort();
  };
  const first = await attempt(store, "one", { approve, onEvent, signal: stop.signal });
  expect(first.paid).toBe(0);
  await attempt(store, "one", { approve, onEvent, signal: AbortSignal.abort() });
  expect(asked).toEqual(["one"]);
  const changed = await attempt(store, "two", { approve });
  expect(asked).toEqual(["one", "two"]);
  expect(changed.paid).toBe(1);
});

test("without a revision the journal holds no more than before", async () => {
  const store = memoryJournal();
  const { outcome } = await attempt(store, undefined);
  expect(store.lines.filter(({ key }) => key.includes("/asked"))).toEqual([]);
  expect((await attempt(store, undefined, decide(outcome))).paid).toBe(1);
});
