import { getEventListeners } from "node:events";
import { validateHistory } from "@fullstop/core";
import {
  type Decision,
  type Message,
  type ReviewedCall,
  type RunEvent,
  run,
  type Tool,
  type UserMessage,
} from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type JournalLine, memoryJournal } from "./memory.ts";
import { eventsOfType, recorder } from "./tools.ts";

const verdicts = ["yes", "yes", "yes", "no", "deny", "throws", "later"] as const;
const call = fc.record({
  name: fc.constantFrom("fine", "throws", "alone", "again", "late", "nowhere"),
  verdict: fc.constantFrom(...verdicts),
});
const turn = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  stop: fc.constantFrom(undefined, undefined, undefined, "pause", "length", null),
});
const script = fc.record({
  turns: fc.array(turn, { maxLength: 4 }),
  concurrency: fc.integer({ min: 1, max: 3 }),
  approves: fc.boolean(),
  addsMessages: fc.boolean(),
  /** Where the first life is killed, as a part of its journal. */
  killAt: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  /** Abort the second life at this event; most are shorter. */
  abortAt: fc.integer({ min: 1, max: 40 }),
});
type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;
const idempotent = "again";

/** Every scripted call has a mark: its turn, its position, what becomes of it. */
const toReply = ({ calls, stop }: Script["turns"][number], at: number): Say => ({
  calls: calls.map(({ name, verdict }, position) => ({
    name,
    input: { mark: `${at}.${position}.${name}.${verdict}` },
  })),
  stop,
});

interface Life {
  readonly from: readonly JournalLine[];
  readonly abortAt?: number;
  /** What was put off is decided now. */
  readonly decided?: boolean;
}
async function runJournaled(
  { turns, concurrency, approves, addsMessages }: Script,
  { from, abortAt, decided }: Life,
) {
  const ran: string[] = [];
  const note = (
    name: string,
    answer: () => string | Promise<string>,
    more: Partial<Tool> = {},
  ): Tool => ({
    ...recorder(name, (input) => {
      ran.push(String(input["mark"]));
      return answer();
    }),
    ...more,
  });
  const fail = (): never => {
    throw new Error("No.");
  };
  const pause = () => new Promise<string>((resolve) => setImmediate(resolve, "ok"));
  const tools = [
    note("fine", pause),
    note("throws", fail),
    note("alone", pause, { exclusive: true }),
    note(idempotent, pause, { idempotent: true }),
    note("late", () => new Promise(() => {}), { timeoutMs: 1 }),
  ];
  const approve = ({ input }: ReviewedCall): Decision => {
    const verdict = String(input["mark"]).split(".").at(-1);
    if (verdict === "throws") throw new Error("No screen.");
    if (verdict === "later") return decided ? true : "later";
    return verdict === "deny" ? { deny: "no" } : verdict === "yes";
  };
  const model = mock(
    Array.from({ length: 60 }, () => ({ messages }) => {
      const at = messages.filter(({ role }) => role === "assistant").length;
      const next = turns[at];
      return next === undefined ? "Done." : toReply(next, at);
    }),
  );
  const controller = new AbortController();
  const { signal } = controller;
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => {
    if (events.push(event) === abortAt) controller.abort();
  };
  const journal = memoryJournal(from);
  const added: UserMessage = { role: "user", content: "Hm." };
  const ports = {
    journal: { store: journal, runId: "r" },
    ...(approves && { approve }),
    ...(addsMessages && { beforeTurn: () => ({ messages: [added] }) }),
  };
  const outcome = await run({
    adapter: model,
    tools,
    prompt: "Go.",
    recovery: { maxWaitMs: 0 },
    limits: { concurrency },
    signal,
    onEvent,
    ...ports,
  }).outcome();
  expect(getEventListeners(signal, "abort")).toEqual([]);
  return { outcome, events, ran, lines: journal.lines };
}

const callIds = (message: Message | undefined): string[] =>
  message?.role === "assistant"
    ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []))
    : [];
const resultIds = (message: Message | undefined): string[] =>
  message?.role === "tool" ? message.content.map(({ id }) => id) : [];
function expectWhole(messages: readonly Message[]): void {
  expect(validateHistory(messages)).toEqual([]);
  for (const [at, message] of messages.entries())
    expect(resultIds(messages[at + 1])).toEqual(callIds(message));
}
const repeatable = (mark: string) => mark.split(".")[2] === idempotent;

/** By its mark, the key of each call. */
function keysOf(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  let number = 1;
  return new Map(
    eventsOfType(events, "turn").flatMap(({ turn: { calls }, kept }) => {
      const key = `r/${kept ? number++ : number}`;
      return calls.map(
        ({ input }, position) => [String(input["mark"]), `${key}/${position + 1}`] as const,
      );
    }),
  );
}

test("after kills, aborts, denials and postponements no call runs twice, no denied call runs, and every conversation is valid", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(script, async (given) => {
      const first = await runJournaled(given, { from: [] });
      const past = first.lines.slice(0, Math.round(given.killAt * first.lines.length));
      const second = await runJournaled(given, { from: past, abortAt: given.abortAt });
      const third = await runJournaled(given, { from: second.lines, decided: true });
      const again = await runJournaled(given, { from: third.lines, decided: true });

      for (const { outcome } of [first, second, third]) {
        seen.add(outcome.status);
        expectWhole(outcome.messages);
      }
      expect(["done", "failed", "truncated", "limit", "stuck"]).toContain(third.outcome.status);
      expect(again.outcome.messages).toEqual(third.outcome.messages);
      expect(again.ran).toEqual([]);

      const begun = past.flatMap(({ key, begun: began }) => (began ? [key] : []));
      const keys = keysOf(first.events);
      const before = first.ran.filter((mark) => begun.includes(keys.get(mark) ?? ""));
      const all = [...before, ...second.ran, ...third.ran].filter((mark) => !repeatable(mark));
      expect(new Set(all).size).toBe(all.length);
      if (given.approves)
        expect(
          [...first.ran, ...second.ran, ...third.ran].filter((mark) =>
            /(no|deny|throws)$/.test(mark),
          ),
        ).toEqual([]);
      if (second.outcome.status === "waiting")
        expect(JSON.stringify(second.outcome.messages)).not.toContain(second.outcome.calls[0]?.id);
      expect(eventsOfType(third.events, "tool-result").length).toBeGreaterThanOrEqual(
        eventsOfType(third.events, "tool-call").length,
      );
    }),
    { numRuns: runs(400) },
  );
  expect([...seen].toSorted()).toEqual(
    expect.arrayContaining(["aborted", "done", "failed", "waiting"]),
  );
});
