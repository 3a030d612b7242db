import { validateHistory } from "@fullstop/core";
import type { Message, RunEvent } from "@fullstop/loop";
import { runs, seed } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkCalls, checkOrder } from "./event-order.ts";
import type { JournalLine } from "./memory.ts";
import {
  answer,
  continued,
  deniedTools,
  type Execution,
  type Life,
  live,
  newRun,
  type World,
  world,
} from "./property-world.ts";
import { eventsOfType } from "./tools.ts";

/** `FULLSTOP_WORLDS=10000` tries more. Each world is a run with a crash, resumed several times. */
const worlds = Number(process.env["FULLSTOP_WORLDS"] ?? runs(300));

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

/** What the journal holds when a life that began with `from` lines is killed. */
function pastOf(
  { killAt, diesInTool }: World,
  lines: readonly JournalLine[],
  from = 0,
): readonly JournalLine[] {
  const at = from + Math.round(killAt * (lines.length - from));
  const inTool = lines.findIndex((line, position) => position >= at && line.begun === true);
  return lines.slice(0, diesInTool && inTool >= 0 ? inTool + 1 : at);
}

/** The executions before a life was killed. The last one may just have begun. */
const ranBefore = ({ ran }: Life, past: readonly JournalLine[]): readonly Execution[] =>
  ran.filter(({ linesBefore }) => linesBefore <= past.length);

interface Past {
  readonly lives: readonly Life[];
  /** What ran in all of them. */
  readonly ran: readonly Execution[];
}
/** Answers a run that waits, until it does not wait any more. */
async function answerAll(given: World, from: Life): Promise<Past> {
  const lives: Life[] = [];
  const ran: Execution[] = [];
  let last = from;
  let begin = newRun;
  for (let round = 1; last.outcome.status === "waiting" && round <= 12; round++) {
    const { lines } = last;
    begin = continued(given, begin, last.outcome);
    last = await live(given, { from: lines, begin });
    lives.push(last);
    if (given.killsAnswered && round <= 3) {
      const past = pastOf(given, last.lines, lines.length);
      ran.push(...ranBefore(last, past));
      last = await live(given, { from: past, begin });
      lives.push(last);
    }
    ran.push(...last.ran);
  }
  return { lives, ran };
}

/** How often each mark may run: once, and once more for each attempt that "did not happen". */
function repeatsOf(lives: readonly Life[]): ReadonlyMap<string, number> {
  const attempts = new Set(
    lives.flatMap(({ events }) =>
      eventsOfType(events, "settlement")
        .filter(({ settlement }) => settlement === "did-not-happen")
        .map(({ call, runId }) => JSON.stringify([String(call.input["mark"]), runId, call.id])),
    ),
  );
  const repeats = new Map<string, number>();
  for (const attempt of attempts) {
    const [mark] = JSON.parse(attempt) as [string];
    repeats.set(mark, (repeats.get(mark) ?? 0) + 1);
  }
  return repeats;
}

async function checkWorld(given: World): Promise<readonly Life[]> {
  const first = await live(given, { from: [] });
  const past = pastOf(given, first.lines);
  const second = await live(given, { from: past, abortAt: given.abortAt });
  const third = await live(given, { from: second.lines });
  const again = await live(given, { from: third.lines });
  const answered = await answerAll(given, third);
  const lives = [first, second, third, again, ...answered.lives];
  for (const life of lives) checkLife(given, life);

  expect(again.ran).toEqual([]);
  expect(again.outcome.messages).toEqual(third.outcome.messages);
  expect(eventsOfType(again.events, "request")).toEqual([]);
  const later = marksOf([...second.ran, ...third.ran, ...answered.ran]);
  const ended = new Set(past.filter((line) => "value" in line).map(({ key }) => key));
  const endedMarks = marksOf(first.ran.filter(({ key }) => ended.has(key)));
  expect(later.filter((mark) => endedMarks.includes(mark))).toEqual([]);
  const all = [...marksOf(ranBefore(first, past)), ...later].filter((mark) => !isRepeatable(mark));
  const repeats = repeatsOf([second, third, ...answered.lives]);
  for (const mark of new Set(all)) {
    const times = all.filter((one) => one === mark).length;
    expect(times).toBeLessThanOrEqual(1 + (repeats.get(mark) ?? 0));
  }
  const isDenied = (mark: string): boolean => deniedTools.includes(mark.split(".")[2] ?? "");
  if (given.approve === "no") expect(all.filter(isDenied)).toEqual([]);
  expect(lives.at(-1)?.outcome.status).not.toBe("waiting");
  return lives;
}

/** What a world must show now and then. */
function labelsOf(event: RunEvent): readonly string[] {
  const labels: string[] = [event.type];
  if (event.path.length > 0) labels.push("sub-agent");
  if (event.type === "recovery") labels.push(event.action);
  if (event.type === "tool-result" && event.inDoubt) labels.push("in doubt");
  if (event.type === "settlement") labels.push(`settled: ${event.settlement}`);
  return labels;
}

test("with any options, a run that is killed, aborted or waits is whole, ordered, and repeats only what did not happen", async () => {
  const seen = new Set<string>();
  const note = ({ outcome, events }: Life): void => {
    for (const label of [outcome.status, ...events.flatMap(labelsOf)]) seen.add(label);
    const { runId } = events[0] ?? {};
    if (runId !== newRun.runId) seen.add("continued from its turn");
  };
  const statuses = ["done", "stopped", "waiting", "aborted", "limit", "truncated"];
  const settled = ["result", "did-not-happen", "unknown", "later"].map((one) => `settled: ${one}`);
  const rare = ["sub-agent", "fallback", "tell-model", "in doubt", "continued from its turn"];
  const wanted = [...statuses, ...rare, ...settled, "approval", "tool-progress", "output", "end"];
  const missing = (): readonly string[] => wanted.filter((label) => !seen.has(label));
  const everyWorld = fc.asyncProperty(world, async (given) => {
    for (const one of await checkWorld(given)) note(one);
  });
  // What is rare may need more worlds.
  for (let round = 0; round === 0 || (round < 6 && missing().length > 0); round += 1)
    await fc.assert(everyWorld, { numRuns: worlds, seed: seed + round });
  expect(missing()).toEqual([]);
}, 600_000);
