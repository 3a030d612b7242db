import type { Clause, ClauseText, Proof } from "./clause.ts";
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
  readonly broken: readonly Proof[];
  /** Why it is not claimed. */
  readonly reason?: string;
}
/** Which clauses to ask, how thoroughly, and where. */
export interface JudgeOptions {
  /** A clause (`stop.cut`) or a family of them (`stop`). */
  readonly only?: string | undefined;
  /** Every byte instead of the places where readers break. */
  readonly exhaustive?: boolean | undefined;
  /** Where the requests go: a `fetch` of the suite's own unless told. Its owner closes it. */
  readonly host?: Host | undefined;
  /** Runs of a loop or an agent at the same time; one unless told. */
  readonly jobs?: number | undefined;
}

/** How many failed proofs of a clause are kept; the others are counted. */
const kept = 20;

async function weigh<Rig>(clause: Clause<Rig>, rig: Rig): Promise<Pick<Verdict, "proofs" | "broken">> {
  const broken: Proof[] = [];
  let proofs = 0;
  try {
    for await (const proof of clause.prove(rig)) {
      proofs++;
      if (proof.expected !== proof.actual && broken.length < kept) broken.push(proof);
    }
  } catch (thrown) {
    proofs++;
    broken.push({
      at: "asking the subject",
      expected: "no error",
      actual: `thrown: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
    });
  }
  if (proofs === 0)
    broken.push({
      at: "the whole clause",
      expected: "something to try",
      actual: "nothing: say in notClaimed why, or give the wire what is missing",
    });
  return { proofs, broken };
}

/** The verdict on one clause. `disclaimed`: why the subject does not claim it. */
export async function decide<Rig>(clause: Clause<Rig>, rig: Rig, disclaimed: string | undefined): Promise<Verdict> {
  const unable = clause.unless?.(rig);
  if (unable !== undefined) return { clause, status: "not-claimed", proofs: 0, broken: [], reason: unable };
  const found = await weigh(clause, rig);
  if (disclaimed === undefined) return { clause, status: found.broken.length === 0 ? "kept" : "broken", ...found };
  if (found.broken.length > 0) return { clause, status: "not-claimed", proofs: found.proofs, broken: [], reason: disclaimed };
  const stale: Proof = {
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
export async function* judge(subject: Subject, { only, exhaustive = false, host, jobs }: JudgeOptions = {}): AsyncGenerator<Verdict> {
  const { notClaimed = {} } = subject;
  for (const id of Object.keys(notClaimed))
    if (!everyClause.some((clause) => clause.id === id)) throw new Error(`notClaimed names "${id}", which is no clause.`);
  if ("adapter" in subject) {
    const rig = setUp(subject, host ?? inProcess(), exhaustive);
    for (const clause of selected(only, clauses)) yield await decide(clause, rig, notClaimed[clause.id]);
  } else {
    const chosen = selected(only, runClauses);
    const rig = await setUpRun(subject, { host, jobs });
    for (const clause of chosen) yield await decide(clause, rig, notClaimed[clause.id]);
  }
}
