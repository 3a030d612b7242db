import { type Outcome, run } from "@fullstop/loop";
import { type JournalTable, leasedJournal } from "@fullstop/loop/journal";
import { mock, type Say } from "@fullstop/provider-mock";
import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contents } from "./journaled-run.ts";
import { ConnectionError, type MemoryTable, memoryTable } from "./memory-table.ts";
import { recorder } from "./tools.ts";

const leaseMs = 3_000;
const turns: readonly Say[] = [
  { calls: ["a", "b", "c"].map((mark) => ({ name: "pay", input: { mark } })) },
  { calls: [{ name: "pay", input: { mark: "d" } }] },
  { text: "Done." },
];
const place = fc.record({
  at: fc.integer({ min: 0, max: 24 }),
  when: fc.constantFrom("before", "after"),
});
const world = fc.record({
  /** Where the connection of the first process breaks. */
  breaks: fc.array(place, { maxLength: 4 }),
  /** Where the first process is paused while another one takes the run and ends it. */
  takeover: fc.option(place, { nil: undefined, freq: 2 }),
});

/** Runs the run `r` in one process. `paid` has each effect. */
function live(table: JournalTable, paid: unknown[]): Promise<Outcome> {
  const pay = recorder("pay", async ({ mark }) => {
    paid.push(mark);
    await new Promise((resolve) => setImmediate(resolve));
    return `paid ${mark}`;
  });
  const model = mock(
    turns.map(() => ({ messages }) => {
      const at = messages.filter(({ role }) => role === "assistant").length;
      return turns[at] ?? "Too far.";
    }),
  );
  const store = leasedJournal(table, { leaseMs });
  return run({
    adapter: model,
    tools: [pay],
    prompt: "Go.",
    journal: { store, runId: "r" },
  }).outcome();
}

const isDoubted = (result: unknown): boolean => String(result).includes("outcome is unknown");
/** Without a takeover every result is known. */
function checkResults({ messages }: Outcome, mayDoubt: boolean): void {
  const known = ["a", "b", "c", "d"].map((mark) => `paid ${mark}`);
  for (const [position, one] of contents(messages).entries())
    if (!mayDoubt || !isDoubted(one)) expect(one).toBe(known[position]);
}

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

/** What happens to the operations of the first process. `takeOver` lets another one run. */
function faultsOf(
  { breaks, takeover }: World,
  table: MemoryTable,
  takeOver: () => Promise<void>,
): (operation: string, when: "before" | "after") => Promise<void> {
  let operations = 0;
  let isTaken = false;
  const isNow = (one: World["takeover"], when: string): boolean =>
    one?.at === operations && one.when === when;
  return async (operation, when) => {
    if (operation === "renew") return;
    if (when === "before") operations += 1;
    const isBroken = breaks.some((one) => isNow(one, when));
    if (!isTaken && isNow(takeover, when)) {
      isTaken = true;
      table.moveClock(leaseMs);
      await takeOver();
    }
    if (!isBroken) return;
    // A lease that was granted without an answer ends by itself.
    if (operation === "claim") table.moveClock(leaseMs);
    throw new ConnectionError("reset");
  };
}

test("with broken connections and a takeover at any point, no effect happens twice, no recorded result is lost, and every run ends", async () => {
  const seen = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(world, async ({ breaks, takeover }) => {
      const table = memoryTable();
      const paid: unknown[] = [];
      let second: Promise<Outcome> | undefined;
      const fault = faultsOf({ breaks, takeover }, table, async () => {
        second ??= live(table.connect(), paid);
        await second;
      });
      const first = await live(table.connect({ fault }), paid).catch((thrown: unknown) => thrown);
      const taken = await second;
      const kind = (first as { readonly kind?: unknown }).kind;
      seen.add(kind ?? "ended");
      if (kind !== undefined) expect([kind, second === undefined]).toEqual(["lost", false]);
      const before = [...paid];
      const last = await live(table.connect(), paid);
      expect(last).toMatchObject({ status: "done", text: "Done." });
      expect(paid).toEqual(before);
      expect(new Set(paid).size).toBe(paid.length);
      if (contents(last.messages).some(isDoubted)) seen.add("in doubt");
      checkResults(last, second !== undefined);
      if (taken !== undefined) expect(taken.messages).toEqual(last.messages);
    }),
    { numRuns: Number(process.env["FULLSTOP_WORLDS"] ?? runs(300)) },
  );
  expect([...seen]).toEqual(expect.arrayContaining(["ended", "lost", "in doubt"]));
}, 600_000);
