import { type Clause, type ClauseText, maxKeptChecks, type Check } from "./clause.ts";
import { clauses } from "./clauses/index.ts";
import { runClauses } from "./clauses/running.ts";
import { type Host, inProcess } from "./harness/host.ts";
import { createHarness } from "./harness/harness.ts";
import { createRunHarness } from "./loop/harness.ts";
import { selectClauses } from "./select.ts";
import type { Subject } from "./subject.ts";

/** What the suite says of one clause. `broken` holds the checks that failed. */
export interface Verdict {
  readonly clause: ClauseText;
  readonly status: "kept" | "broken" | "not-claimed";
  /** How many things were tried. */
  readonly checks: number;
  readonly broken: readonly Check[];
  /** All that failed are in `broken`, and are told. */
  readonly all?: true;
  /** Why it is not claimed. */
  readonly reason?: string;
}
/** Which clauses to ask, how thoroughly, and where. */
export interface JudgeOptions {
  /** A clause (`stop.cut`) or a family of them (`stop`). */
  readonly only?: string | undefined;
  /** Every byte instead of the places where readers break. */
  readonly exhaustive?: boolean | undefined;
  /** At most so many places of each reply of an adapter are tried, evenly spread. */
  readonly sample?: number | undefined;
  /** Every failed check is kept and told, instead of the first few of a clause. */
  readonly all?: boolean | undefined;
  /** Ends the asking: no further verdict comes. */
  readonly signal?: AbortSignal | undefined;
  /** Where the requests go: a `fetch` of the suite's own unless told. Its owner closes it. */
  readonly host?: Host | undefined;
  /** Runs of a loop or an agent at the same time; one unless told. */
  readonly jobs?: number | undefined;
}

/** How long checks may follow each other before signals and timers get their turn: an injected `fetch` leaves them none. */
const yieldAfterMs = 50;
function createYielder(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < yieldAfterMs) return;
    await new Promise((resolve) => setTimeout(resolve));
    last = performance.now();
  };
}

/** How one clause is asked. */
export interface JudgeClauseOptions extends Pick<JudgeOptions, "all" | "signal"> {
  /** Why the subject does not claim the clause. */
  readonly disclaimed?: string | undefined;
}

const thrownCheck = (thrown: unknown): Check => ({
  at: "asking the subject",
  expected: "no error",
  actual: `thrown: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
});

async function runChecks<Rig>(
  clause: Clause<Rig>,
  harness: Rig,
  { all, signal }: JudgeClauseOptions,
): Promise<Pick<Verdict, "checks" | "broken" | "all">> {
  const broken: Check[] = [];
  const most = all ? Number.POSITIVE_INFINITY : maxKeptChecks;
  const breathe = createYielder();
  let checks = 0;
  try {
    for await (const check of clause.check(harness)) {
      checks++;
      if (check.expected !== check.actual && broken.length < most) broken.push(check);
      await breathe();
      if (signal?.aborted) break;
    }
  } catch (thrown) {
    checks++;
    broken.push(thrownCheck(thrown));
  }
  if (checks === 0)
    broken.push({
      at: "the whole clause",
      expected: "something to try",
      actual: "nothing: say in notClaimed why, or give the wire what is missing",
    });
  return { checks, broken, ...(all && { all }) };
}

/** The verdict on one clause; what it says after an abort means nothing. */
export async function judgeClause<Rig>(
  clause: Clause<Rig>,
  harness: Rig,
  deciding: JudgeClauseOptions,
): Promise<Verdict> {
  const { disclaimed } = deciding;
  const unable = clause.whyNotAsked?.(harness);
  if (unable !== undefined)
    return { clause, status: "not-claimed", checks: 0, broken: [], reason: unable };
  const found = await runChecks(clause, harness, deciding);
  if (disclaimed === undefined)
    return { clause, status: found.broken.length === 0 ? "kept" : "broken", ...found };
  if (found.broken.length > 0)
    return { clause, status: "not-claimed", checks: found.checks, broken: [], reason: disclaimed };
  const stale: Check = {
    at: `notClaimed: ${disclaimed}`,
    expected: "a clause that this subject breaks",
    actual: "it keeps the clause: claim it",
  };
  return { clause, status: "broken", checks: found.checks, broken: [stale] };
}

/** What every clause says of itself, those that only adapters and those that only runs are asked among them. */
export const everyClause: readonly ClauseText[] = [
  ...clauses,
  ...runClauses.filter(({ id }) => !clauses.some((clause) => clause.id === id)),
];

/**
 * Asks a subject every clause that fits it, one verdict each.
 * @throws Error where `only` names no clause, or a loop or an agent does not even run a whole call.
 */
export async function* judge(
  subject: Subject,
  options: JudgeOptions = {},
): AsyncGenerator<Verdict> {
  const { only, exhaustive = false, sample, host, jobs } = options;
  const { notClaimed = {} } = subject;
  for (const id of Object.keys(notClaimed))
    if (!everyClause.some((clause) => clause.id === id))
      throw new Error(`notClaimed names "${id}", which is no clause.`);
  if ("adapter" in subject) {
    const harness = createHarness(subject, host ?? inProcess(), { exhaustive, sample });
    yield* decided(selectClauses(only, clauses), harness, { notClaimed, ...options });
  } else {
    const chosen = selectClauses(only, runClauses);
    const harness = await createRunHarness(subject, { host, jobs });
    yield* decided(chosen, harness, { notClaimed, ...options });
  }
}

async function* decided<Rig>(
  chosen: readonly Clause<Rig>[],
  harness: Rig,
  { notClaimed = {}, all, signal }: JudgeOptions & Pick<Subject, "notClaimed">,
): AsyncGenerator<Verdict> {
  for (const clause of chosen) {
    const verdict = await judgeClause(clause, harness, {
      disclaimed: notClaimed[clause.id],
      all,
      signal,
    });
    if (signal?.aborted) return;
    yield verdict;
  }
}
