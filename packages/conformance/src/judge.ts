import { type Check, type Clause, type ClauseText, keptProofs } from "./clause.ts";
import { clauses } from "./clauses/index.ts";
import { runClauses } from "./clauses/running.ts";
import { type Host, inProcess } from "./host.ts";
import { setUp } from "./rig.ts";
import { setUpRun } from "./run/rig.ts";
import { selected } from "./select.ts";
import type { Subject } from "./subject.ts";

/** What the suite says of one clause. `broken` holds the proofs that failed. */
export interface Verdict {
  readonly clause: ClauseText;
  readonly status: "kept" | "broken" | "not-claimed";
  /** How many things were tried. */
  readonly proofs: number;
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
  /** Every failed proof is kept and told, instead of the first few of a clause. */
  readonly all?: boolean | undefined;
  /** Ends the asking: no further verdict comes. */
  readonly signal?: AbortSignal | undefined;
  /** Where the requests go: a `fetch` of the suite's own unless told. Its owner closes it. */
  readonly host?: Host | undefined;
  /** Runs of a loop or an agent at the same time; one unless told. */
  readonly jobs?: number | undefined;
}

/** How long proofs may follow each other before signals and timers get their turn: an injected `fetch` leaves them none. */
const breathMs = 50;
function createBreather(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < breathMs) return;
    await new Promise((resolve) => setTimeout(resolve));
    last = performance.now();
  };
}

/** How one clause is asked. */
export interface Deciding extends Pick<JudgeOptions, "all" | "signal"> {
  /** Why the subject does not claim the clause. */
  readonly disclaimed?: string | undefined;
}

const crashed = (thrown: unknown): Check => ({
  at: "asking the subject",
  expected: "no error",
  actual: `thrown: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
});

async function weigh<Rig>(
  clause: Clause<Rig>,
  rig: Rig,
  { all, signal }: Deciding,
): Promise<Pick<Verdict, "proofs" | "broken" | "all">> {
  const broken: Check[] = [];
  const most = all ? Number.POSITIVE_INFINITY : keptProofs;
  const breathe = createBreather();
  let proofs = 0;
  try {
    for await (const proof of clause.prove(rig)) {
      proofs++;
      if (proof.expected !== proof.actual && broken.length < most) broken.push(proof);
      await breathe();
      if (signal?.aborted) break;
    }
  } catch (thrown) {
    proofs++;
    broken.push(crashed(thrown));
  }
  if (proofs === 0)
    broken.push({
      at: "the whole clause",
      expected: "something to try",
      actual: "nothing: say in notClaimed why, or give the wire what is missing",
    });
  return { proofs, broken, ...(all && { all }) };
}

/** The verdict on one clause; what it says after an abort means nothing. */
export async function decide<Rig>(
  clause: Clause<Rig>,
  rig: Rig,
  deciding: Deciding,
): Promise<Verdict> {
  const { disclaimed } = deciding;
  const unable = clause.unless?.(rig);
  if (unable !== undefined)
    return { clause, status: "not-claimed", proofs: 0, broken: [], reason: unable };
  const found = await weigh(clause, rig, deciding);
  if (disclaimed === undefined)
    return { clause, status: found.broken.length === 0 ? "kept" : "broken", ...found };
  if (found.broken.length > 0)
    return { clause, status: "not-claimed", proofs: found.proofs, broken: [], reason: disclaimed };
  const stale: Check = {
    at: `notClaimed: ${disclaimed}`,
    expected: "a clause that this subject breaks",
    actual: "it keeps the clause: claim it",
  };
  return { clause, status: "broken", proofs: found.proofs, broken: [stale] };
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
    const rig = setUp(subject, host ?? inProcess(), { exhaustive, sample });
    yield* decided(selected(only, clauses), rig, { notClaimed, ...options });
  } else {
    const chosen = selected(only, runClauses);
    const rig = await setUpRun(subject, { host, jobs });
    yield* decided(chosen, rig, { notClaimed, ...options });
  }
}

async function* decided<Rig>(
  chosen: readonly Clause<Rig>[],
  rig: Rig,
  { notClaimed = {}, all, signal }: JudgeOptions & Pick<Subject, "notClaimed">,
): AsyncGenerator<Verdict> {
  for (const clause of chosen) {
    const verdict = await decide(clause, rig, { disclaimed: notClaimed[clause.id], all, signal });
    if (signal?.aborted) return;
    yield verdict;
  }
}
