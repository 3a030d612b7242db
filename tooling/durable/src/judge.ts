import type { LogLine } from "./log.ts";

/** What is counted about a run. */
export const noCounts = {
  /** Effects of calls that may not be repeated, which happened more than once. */
  doubled: 0,
  /** Calls that ran again in a process that could know their recorded result. */
  repeated: 0,
  /** Results that the journal had, and that the model did not get, or got changed. */
  lost: 0,
  /** Calls whose outcome was not known. */
  doubts: 0,
  /** … that somebody settled. */
  settled: 0,
  /** Settled calls whose effect did not happen exactly once. */
  missettled: 0,
  /** Calls of idempotent tools that ran again, which is allowed. */
  idempotent: 0,
  /** Runs that went on after their journal was deleted, so that the next start would repeat them. */
  unnoticed: 0,
  /** Runs that did not end with the status `done` and a valid conversation. */
  unended: 0,
};
export type CountName = keyof typeof noCounts;
export type Counts = Readonly<Record<CountName, number>>;

/** The counts that must be 0. */
export const faults = [
  "doubled",
  "repeated",
  "lost",
  "missettled",
  "unnoticed",
  "unended",
] as const;

export const isSound = (counts: Counts): boolean => faults.every((name) => counts[name] === 0);

export function addCounts(one: Counts, other: Counts): Counts {
  const sums = Object.keys(noCounts).map((name) => [
    name,
    one[name as CountName] + other[name as CountName],
  ]);
  return Object.fromEntries(sums) as Counts;
}

type LineOf<Event extends LogLine["event"]> = Extract<LogLine, { readonly event: Event }>;
type Begun = { readonly line: LineOf<"effect-began">; readonly at: number };

/** Counts what happened to one run. `idempotent` has the items of tools that may be repeated. */
export function judgeRun(lines: readonly LogLine[], idempotent: ReadonlySet<string>): Counts {
  const all = <Event extends LogLine["event"]>(event: Event): readonly LineOf<Event>[] =>
    linesOf(lines, event);
  const items = new Set(lines.flatMap((line) => ("item" in line ? [line.item] : [])));
  const began = (item: string): readonly Begun[] =>
    lines.flatMap((line, at) =>
      line.event === "effect-began" && line.item === item ? [{ line, at }] : [],
    );
  const settled = new Set(all("settled").map(({ item }) => item));
  const doubted = new Set(all("doubted").map(({ item }) => item));
  const again = (item: string): number => Math.max(0, began(item).length - 1);
  return {
    doubled: sum(items, (item) => (idempotent.has(item) ? 0 : again(item))),
    idempotent: sum(items, (item) => (idempotent.has(item) ? again(item) : 0)),
    repeated: sum(items, (item) => countRepeated(lines, began(item))),
    lost: sum(items, (item) => countLost(lines, item)),
    doubts: new Set([...settled, ...doubted]).size,
    settled: settled.size,
    missettled: sum(settled, (item) =>
      began(item).length === (isRefused(lines, item) ? 0 : 1) ? 0 : 1,
    ),
    unnoticed: all("unnoticed").length > 0 ? 1 : 0,
    unended: isEnded(lines) ? 0 : 1,
  };
}

const linesOf = <Event extends LogLine["event"]>(
  lines: readonly LogLine[],
  event: Event,
): readonly LineOf<Event>[] => lines.filter((line): line is LineOf<Event> => line.event === event);

/** A run whose journal was deleted has to be stopped for that. */
function isEnded(lines: readonly LogLine[]): boolean {
  if (linesOf(lines, "hung").length > 0) return false;
  if (linesOf(lines, "deleted").length > 0)
    return linesOf(lines, "rejected").some(({ kind }) => kind === "deleted");
  return isComplete(linesOf(lines, "ended"), linesOf(lines, "conversation"));
}

const isComplete = (
  ends: readonly LineOf<"ended">[],
  conversations: readonly LineOf<"conversation">[],
): boolean =>
  ends.length > 0 &&
  ends.every(({ status, text }) => status === "done" && text === "Done.") &&
  conversations.length > 0 &&
  conversations.every(({ problems }) => problems === 0);

const sum = (items: Iterable<string>, count: (item: string) => number): number =>
  [...items].reduce((total, item) => total + count(item), 0);

/**
 * Begins in a process that took the run after the result was recorded, or that began the same call
 * before and has had the run since then.
 */
function countRepeated(lines: readonly LogLine[], began: readonly Begun[]): number {
  return began.filter(({ line: { item, worker }, at }, index) => {
    const taken = lines
      .slice(0, at)
      .findLastIndex((line) => line.event === "opened" && line.worker === worker);
    if (began.slice(0, index).some((other) => other.line.worker === worker && other.at > taken))
      return true;
    return lines
      .slice(0, Math.max(taken, 0))
      .some((line) => line.event === "acknowledged" && line.item === item);
  }).length;
}

/** 1 if the model did not get a recorded result, or got one that the witness did not give. */
function countLost(lines: readonly LogLine[], item: string): number {
  const of = (event: "acknowledged" | "given"): readonly string[] =>
    lines.flatMap((line) => (line.event === event && line.item === item ? [line.result] : []));
  const recorded = new Set(of("acknowledged"));
  const given = new Set(of("given"));
  const receipts = new Set(
    lines.flatMap((line) =>
      line.event === "effect-began" && line.item === item ? [line.receipt] : [],
    ),
  );
  if (recorded.size > 1 || given.size > 1) return 1;
  if ([...given].some((result) => isReceipt(result) && !receipts.has(result))) return 1;
  const isEnded = lines.some((line) => line.event === "ended");
  return isEnded && [...recorded].some((result) => !given.has(result)) ? 1 : 0;
}

/** The call did not happen, and it cannot run any more, such as one of a tool that was removed. */
const isRefused = (lines: readonly LogLine[], item: string): boolean =>
  lines.some((line) => line.event === "given" && line.item === item && line.result === "error");

const isReceipt = (result: string): boolean => result.startsWith("receipt ");
