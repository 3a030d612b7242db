import { validateHistory } from "@fullstop/core";
import type { Message, Outcome } from "@fullstop/loop";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkCalls, checkOrder } from "./event-order.ts";
import type { JournalLine } from "./memory.ts";
import { answer, type Execution, type Life, live, type World, world } from "./property-world.ts";
import { eventsOfType } from "./tools.ts";

/** `FULLSTOP_WORLDS=10000` tries more. Each world is a run with a crash, resumed several times. */
const worlds = Number(process.env["FULLSTOP_WORLDS"] ?? 300);

const callIds = (message: Message | undefined): string[] =>
  message?.role === "assistant"
    ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []))
    : [];
const resultIds = (message: Message | undefined): string[] =>
  message?.role === "tool" ? message.content.map(({ id }) => id) : [];

function checkLife(given: World, life: Life): void {
  const { outcome, events, ran, overlap } = life;
  expect(validateHistory(outcome.messages)).toEqual([]);
  for (const [at, message] of outcome.messages.entries())
    expect(resultIds(outcome.messages[at + 1])).toEqual(callIds(message));
  checkOrder(events);
  checkCalls(events, outcome.status === "waiting" || outcome.status === "aborted");
  const started = new Set(eventsOfType(events, "tool-call").map(({ call }) => call));
  for (const { context } of ran) expect(started.has(context.call)).toBe(true);
  expect(overlap).toBeLessThanOrEqual(1);
  expect(eventsOfType(events, "end").at(-1)?.outcome).toEqual(outcome);
  if (outcome.status === "done" && given.output !== undefined)
    expect(outcome.output).toEqual(answer);
  if (outcome.status === "stopped") expect(given.stopAt).toBeDefined();
}

const marksOf = (executions: readonly Execution[]): readonly string[] =>
  executions.map(({ mark }) => mark);
const isRepeatable = (mark: string): boolean => mark.endsWith(".again");

/** What a journal knows of the executions of the life that was killed. */
function knownOf(first: Life, past: readonly JournalLine[]) {
  const keysWith = (has: (line: JournalLine) => boolean): ReadonlySet<string> =>
    new Set(past.filter(has).map(({ key }) => key));
  const begun = keysWith((line) => line.begun === true);
  const ended = keysWith((line) => "value" in line);
  return {
    begun: marksOf(first.ran.filter(({ key }) => begun.has(key) || ended.has(key))),
    ended: marksOf(first.ran.filter(({ key }) => ended.has(key))),
  };
}

/** Answers a run that waits, until it does not wait any more. */
async function answerAll(given: World, from: Life): Promise<readonly Life[]> {
  const lives: Life[] = [];
  let last = from;
  for (let round = 1; last.outcome.status === "waiting" && round <= 8; round++) {
    last = await live(given, { from: last.lines, runId: `r-${round}`, after: last.outcome });
    lives.push(last);
  }
  return lives;
}

async function checkWorld(given: World): Promise<readonly Outcome[]> {
  const first = await live(given, { from: [] });
  const past = first.lines.slice(0, Math.round(given.killAt * first.lines.length));
  const second = await live(given, { from: past, abortAt: given.abortAt });
  const third = await live(given, { from: second.lines });
  const again = await live(given, { from: third.lines });
  const answered = await answerAll(given, third);
  for (const life of [first, second, third, again, ...answered]) checkLife(given, life);

  expect(again.ran).toEqual([]);
  expect(again.outcome.messages).toEqual(third.outcome.messages);
  expect(eventsOfType(again.events, "request")).toEqual([]);
  const known = knownOf(first, past);
  const later = [second, third, ...answered].flatMap(({ ran }) => marksOf(ran));
  expect(later.filter((mark) => known.ended.includes(mark))).toEqual([]);
  const all = [...known.begun, ...later].filter((mark) => !isRepeatable(mark));
  expect(new Set(all).size).toBe(all.length);
  if (given.approve === "no") expect(all.filter((mark) => mark.endsWith(".fine"))).toEqual([]);
  expect(answered.at(-1)?.outcome.status).not.toBe("waiting");
  return [first, second, third, ...answered].map(({ outcome }) => outcome);
}

test("with any options, a run that is killed, aborted or waits is whole, ordered and repeats nothing", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      for (const { status } of await checkWorld(given)) seen.add(status);
    }),
    { numRuns: worlds },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(["done", "stopped", "waiting", "aborted", "limit", "truncated"]),
  );
}, 600_000);
