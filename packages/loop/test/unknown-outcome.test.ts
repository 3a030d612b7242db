import { type RunOptions, type Settlement, type ToolOutput, UnknownOutcome } from "@fullstop/loop";
import { expect, test } from "vitest";
import { contents, keys, runJournaled } from "./journaled-run.ts";
import { memoryJournal } from "./memory.ts";
import { eventsOfType, recorder } from "./tools.ts";

const pays = { calls: [{ name: "pay", input: { cents: 5 } }] };
const lost = () => {
  throw new UnknownOutcome("The connection was lost after the request was sent.");
};
const hangs = () => new Promise(() => {});
/** What the model gets, and what the events say, for a first attempt that may have happened. */
async function attempt(
  execute: () => unknown,
  settlement?: Settlement,
  options: Partial<RunOptions> = {},
) {
  const attempts = [execute, () => "paid"];
  const pay = recorder("pay", () => (attempts.shift() ?? lost)() as ToolOutput);
  const journal = memoryJournal();
  const settle = settlement && (() => settlement);
  const { outcome, events } = await runJournaled(journal, [pays, "Done."], {
    tools: [{ ...pay, timeoutMs: 50 }],
    journal: { store: journal, runId: "r", settle },
    ...options,
  });
  const [result] = eventsOfType(events, "tool-result");
  return { outcome, result, journal, ran: pay.ran.length };
}

const message =
  "pay may have run, and its outcome is unknown: The connection was lost after the request was sent. Check what it did before you call pay again.";

test("a tool that does not know whether it ran is in doubt, and the model is told", async () => {
  for (const settlement of [undefined, "unknown"] as const) {
    const { outcome, result, ran } = await attempt(lost, settlement);
    expect(contents(outcome.messages)).toEqual([message]);
    expect([result?.inDoubt, result?.result.isError, ran]).toEqual([true, true, 1]);
  }
});

test("without a journal, too", async () => {
  const { outcome, result } = await attempt(lost, undefined, { journal: undefined });
  expect(contents(outcome.messages)).toEqual([message]);
  expect(result?.inDoubt).toBe(true);
});

test.each([
  ["lost its connection", lost],
  ["reached its time limit", hangs],
])("`settle` is asked about a call that %s, and the answer is recorded", async (_, execute) => {
  const happened = await attempt(execute, { result: "paid before" });
  expect(contents(happened.outcome.messages)).toEqual(["paid before"]);
  expect([happened.result?.inDoubt, happened.ran]).toEqual([undefined, 1]);
  expect(keys(happened.journal)).toContain("r/1/1/settlement");
  expect(keys(happened.journal)).not.toContain("r/1/1");

  const again = await attempt(execute, "did-not-happen");
  expect(contents(again.outcome.messages)).toEqual(["paid"]);
  expect(again.ran).toBe(2);

  const later = await attempt(execute, "later");
  expect(later.outcome).toMatchObject({ status: "waiting", calls: [{ needs: "settlement" }] });
});
