import { validateHistory } from "@fullstop/core";
import type { Message } from "@fullstop/loop";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkCalls, checkOrder } from "./event-order.ts";
import type { JournalLine } from "./memory.ts";
import {
  answer,
  deniedTools,
  type Execution,
  type Life,
  live,
  type World,
  world,
} from "./property-world.ts";
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

/** What the journal holds when the first life is killed. */
function pastOf(
  { killAt, diesInTool }: World,
  lines: readonly JournalLine[],
): readonly JournalLine[] {
  const at = Math.round(killAt * lines.length);
  const inTool = lines.findIndex((line, position) => position >= at && line.begun === true);
  return lines.slice(0, diesInTool && inTool >= 0 ? inTool + 1 : at);
}

/** The executions before the first life was killed, and those whose end the journal holds. */
function knownOf(first: Life, past: readonly JournalLine[]) {
  const ended = new Set(past.filter((line) => "value" in line).map(({ key }) => key));
  return {
    begun: marksOf(first.ran.filter(({ linesBefore }) => linesBefore < past.length)),
    ended: marksOf(first.ran.filter(({ key }) => ended.has(key))),
  };
}

/** Answers a run that waits, until it does not wait any more. */
async function answerAll(given: World, from: Life): Promise<readonly Life[]> {
  const lives: Life[] = [];
  let last = from;
  for (let round = 1; last.outcome.status === "waiting" && round <= 8; round++) {
    last = await live(given, { from: last.lines, after: last.outcome });
    lives.push(last);
  }
  return lives;
}

async function checkWorld(given: World): Promise<readonly Life[]> {
  const first = await live(given, { from: [] });
  const past = pastOf(given, first.lines);
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
  const isDenied = (mark: string): boolean => deniedTools.includes(mark.split(".")[2] ?? "");
  if (given.approve === "no") expect(all.filter(isDenied)).toEqual([]);
  expect(answered.at(-1)?.outcome.status).not.toBe("waiting");
  return [first, second, third, again, ...answered];
}

test("with any options, a run that is killed, aborted or waits is whole, ordered and repeats nothing", async () => {
  const seen = new Set<string>();
  const note = ({ outcome, events }: Life): void => {
    seen.add(outcome.status);
    for (const event of events) {
      seen.add(event.type);
      if (event.path.length > 0) seen.add("sub-agent");
      if (event.type === "recovery") seen.add(event.action);
      if (event.type === "tool-result" && event.inDoubt) seen.add("in doubt");
    }
  };
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      for (const one of await checkWorld(given)) note(one);
    }),
    { numRuns: worlds },
  );
  const statuses = ["done", "stopped", "waiting", "aborted", "limit", "truncated"];
  const rare = ["sub-agent", "fallback", "tell-model", "in doubt"];
  expect([...seen]).toEqual(
    expect.arrayContaining([...statuses, ...rare, "approval", "tool-progress", "output", "end"]),
  );
}, 600_000);
