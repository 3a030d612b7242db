import type { Question } from "../clause.ts";
import { type Check, maxKeptChecks, sortByDamage } from "./check.ts";

/** What was seen when everything that a question is about was tried. */
export interface CheckResults {
  /** How many things were tried. */
  readonly checks: number;
  /** The failed checks, the damaging ones first: all with an id, and the first 20 others. */
  readonly broken: readonly Check[];
  /** The ids of all checks that were tried, if they have ids. */
  readonly checkIds?: readonly string[];
  /** `broken` holds every failed check, and reports show them all. */
  readonly all?: true;
  /** Which checks say nothing about the subject, and why; and how checks passed that have a note. */
  readonly reason?: string;
  /** What could not be asked, and why: `` in one piece: the wire has no `whole` ``. */
  readonly notAsked?: readonly string[];
}

export interface RunChecksOptions {
  readonly all?: boolean | undefined;
  /** The first failed check ends the trying. */
  readonly first?: boolean | undefined;
  /** Ends the trying. */
  readonly signal?: AbortSignal | undefined;
  /**
   * `false`: errors have no stack traces while the subject is asked. Cut replies make errors by the
   * thousand, and their traces cost more than reading the replies. A subject that throws is asked
   * again with traces, for the report.
   */
  readonly stackTraces?: false | undefined;
}

/** How long checks run until timers and signals get a turn: a `fetch` in memory leaves none. */
const yieldAfterMs = 50;
function createYielder(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < yieldAfterMs) return;
    await new Promise((resolve) => setTimeout(resolve));
    last = performance.now();
  };
}

const thrownCheck = (thrown: unknown): Check => ({
  at: "asking the subject",
  expected: "no error",
  actual: `thrown: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
});
const noCheck: Check = {
  at: "the whole clause",
  expected: "at least one check",
  actual: "none: give the reason in notClaimed, or complete the wire",
};

type Tried = ReturnType<typeof beginTrying>;
const beginTrying = (all: boolean | undefined) => ({
  checks: 0,
  broken: [] as Check[],
  checkIds: [] as string[],
  notJudged: [] as string[],
  notAsked: new Set<string>(),
  /** The passed checks that have a note, by the note. */
  notes: new Map<string, string[]>(),
  ...(all && { all }),
});

function addCheck(tried: Tried, check: Check): void {
  const { broken, checkIds, notJudged, notAsked, notes, all } = tried;
  if (check.notAsked !== undefined) {
    notAsked.add(check.notAsked);
    return;
  }
  if (check.notJudged !== undefined) {
    notJudged.push(`${check.at}: ${check.notJudged}`);
    return;
  }
  tried.checks++;
  if (check.id !== undefined) checkIds.push(check.id);
  const isKept = all || check.id !== undefined || broken.length < maxKeptChecks;
  if (check.expected !== check.actual && isKept) broken.push(check);
  if (check.expected === check.actual && check.note !== undefined)
    notes.set(check.note, [...(notes.get(check.note) ?? []), check.at]);
}

/** How many questions are asked at the moment, and the limit from before the first of them. */
let asking = 0;
let limitBefore = Error.stackTraceLimit;

/** Questions may overlap: the last one to end restores the limit. */
async function withoutStackTraces<Result>(run: () => Promise<Result>): Promise<Result> {
  if (asking === 0) limitBefore = Error.stackTraceLimit;
  asking++;
  Error.stackTraceLimit = 0;
  try {
    return await run();
  } finally {
    asking--;
    if (asking === 0) Error.stackTraceLimit = limitBefore;
  }
}

/** Tries everything that a question is about. An error becomes a failed check. */
export async function runChecks<Asked>(
  question: Question<Asked>,
  harness: Asked,
  { stackTraces, ...options }: RunChecksOptions,
): Promise<CheckResults> {
  const run = () => runOnce(question, harness, options);
  const { hasThrown, results } = await (stackTraces === false ? withoutStackTraces(run) : run());
  return hasThrown && stackTraces === false ? (await run()).results : results;
}

async function runOnce<Asked>(
  question: Question<Asked>,
  harness: Asked,
  { all, first, signal }: Omit<RunChecksOptions, "stackTraces">,
) {
  const tried = beginTrying(all);
  const yieldToTimers = createYielder();
  let hasThrown = false;
  try {
    for await (const check of question.check(harness)) {
      addCheck(tried, check);
      await yieldToTimers();
      if (signal?.aborted || (first && tried.broken.length > 0)) break;
    }
  } catch (thrown) {
    hasThrown = true;
    tried.checks++;
    tried.broken.push(thrownCheck(thrown));
  }
  return { hasThrown, results: resultsOf(tried) };
}

/** What a reader must know of checks that did not fail. */
function describeOthers({ notJudged, notAsked, notes }: Tried): string {
  const passed = [...notes].map(([note, places]) => `Passed, but ${note}: ${places.join(", ")}`);
  return [
    ...[...notAsked].map((what) => `Not asked ${what}`),
    ...(notJudged.length > 0 ? [`Not judged: ${notJudged.join("; ")}`] : []),
    ...passed,
  ].join("; ");
}

function resultsOf(tried: Tried): CheckResults {
  const { checkIds, broken, notJudged, notAsked, notes: _, ...rest } = tried;
  const reason = describeOthers(tried);
  if (rest.checks === 0 && notJudged.length === 0) broken.push(noCheck);
  return {
    ...rest,
    broken: sortByDamage(broken),
    ...(checkIds.length > 0 && { checkIds }),
    ...(reason !== "" && { reason }),
    ...(notAsked.size > 0 && { notAsked: [...notAsked] }),
  };
}
