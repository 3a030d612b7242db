import {
  type AdapterClause,
  type GuardClause,
  type LoopClause,
  selectClauses,
  splitCheck,
  textForWire,
} from "./clause.ts";
import { adapterClauses, clauses, guardClauses, loopClauses } from "./clauses/index.ts";
import { createGuardHarness, type GuardHarness, isGuarded } from "./guard/harness.ts";
import { createHarness, type Harness } from "./harness/harness.ts";
import { type Host, inProcess } from "./harness/host.ts";
import {
  assertClaims,
  judgeClause,
  judgeClauses,
  unknownCheckMessage,
  type Verdict,
} from "./judge-clause.ts";
import { createRunHarness, type RunHarness, type RunObserver } from "./loop/harness.ts";
import type { AdapterSubject, Subject } from "./subject.ts";

/** Which clauses are asked, how thoroughly, and where requests go. */
export interface JudgeOptions {
  /** A clause (`stop.cut`), a family (`stop`), or one check of a clause (`stop.words/refusal`). */
  readonly only?: string | undefined;
  /** Every byte, not only the places where readers break. */
  readonly exhaustive?: boolean | undefined;
  /**
   * At most this many places of each reply to an adapter, evenly spread. Up to four, each reply is
   * also written, split and ended in only one of the ways, in turn, and each stop reason under which
   * no call runs has one of the shapes.
   */
  readonly sample?: number | undefined;
  /** Keeps and reports every failed check, not only the first of each clause. */
  readonly all?: boolean | undefined;
  /** Ends a clause at its first failed check. */
  readonly first?: boolean | undefined;
  /** Ends the judging: no further verdict comes. */
  readonly signal?: AbortSignal | undefined;
  /** The server to which requests go. By default a `fetch` of the suite. The caller closes it. */
  readonly host?: Host | undefined;
  /** Runs of a loop or an agent at the same time; 1 by default. */
  readonly jobs?: number | undefined;
  /** Called after each run of a loop or an agent. */
  readonly onRun?: RunObserver | undefined;
}

/**
 * Asks a subject about every clause that fits it. Yields one verdict for each.
 * @throws Error if `only` or `notClaimed` names an unknown clause or check, or if a loop or an
 * agent does not even run a complete call.
 */
export async function* judge(
  subject: Subject,
  options: JudgeOptions = {},
): AsyncGenerator<Verdict> {
  const { only, host, jobs, onRun } = options;
  if ("adapter" in subject) {
    yield* judgeAdapter(subject, options);
    return;
  }
  const { notClaimed = {} } = subject;
  assertClaims(notClaimed, clauses);
  const { clause: named, checkId } = only === undefined ? {} : splitCheck(only);
  const asked = selectClauses(named, loopClauses).map((clause) => ({
    clause: textForWire(clause, subject.wire.name),
    question: clause.loop,
    disclaimed: notClaimed[clause.id],
  }));
  const harness = await createRunHarness(subject, { host, jobs, onRun });
  if (checkId !== undefined) for (const { clause } of asked) assertCheck(clause, checkId, harness);
  yield* judgeClauses(asked, { ...harness, checkId }, { ...options, checkId });
}

/** @throws Error if the guard of the subject cannot read the framing of its wire. */
function assertGuard(subject: AdapterSubject): void {
  const { name, framing = "sse" } = subject.wire;
  if (isGuarded(subject) && framing !== "sse")
    throw new Error(
      `The wire ${name} does not use server-sent events, and guards read no other stream. Remove \`guard\` from the subject.`,
    );
}

/** @throws Error if the clause has no check with this id for the subject. */
function assertCheck({ id, loop }: LoopClause, checkId: string, harness: RunHarness): void {
  const checkIds = loop.checkIds?.(harness) ?? [];
  if (checkIds.includes(checkId)) return;
  throw new Error(unknownCheckMessage(id, checkId, checkIds));
}

export const noCheckIdsMessage = (name: string): string =>
  `The checks of an adapter have no ids, so "${name}" cannot be asked alone. Name the clause: ${splitCheck(name).clause}.`;

/**
 * The clauses that fit an adapter: those about guards only if it stands behind one.
 * @throws Error if `only` names none of them.
 */
export function clausesFor(
  subject: AdapterSubject,
  only: string | undefined,
): readonly (AdapterClause | GuardClause)[] {
  const all: readonly (AdapterClause | GuardClause)[] = [...adapterClauses, ...guardClauses];
  if (only?.includes("/")) throw new Error(noCheckIdsMessage(only));
  const named = selectClauses(only, all);
  const chosen = isGuarded(subject) ? named : named.filter((clause) => "adapter" in clause);
  if (chosen.length === 0)
    throw new Error(`"${only}" is about guards. Give the subject its \`guard\`.`);
  return chosen;
}

export type AskAdapter = (clause: AdapterClause | GuardClause) => Promise<Verdict>;

/**
 * Asks an adapter about clauses in any order, one at a time. Clauses that look at the same turns
 * share them.
 * @throws Error if `notClaimed` names an unknown clause, or if a guard cannot read the wire.
 */
export function askAdapter(subject: AdapterSubject, options: JudgeOptions): AskAdapter {
  assertClaims(subject.notClaimed ?? {}, clauses);
  assertGuard(subject);
  const { exhaustive = false, sample, host = inProcess(), all, first, signal } = options;
  const { notClaimed = {} } = subject;
  const effort = { exhaustive, sample };
  let harness: Harness | undefined;
  let guardHarness: GuardHarness | undefined;
  return async (clause) => {
    const disclaimed = notClaimed[clause.id];
    const running = { all, first, signal, stackTraces: false } as const;
    if ("adapter" in clause) {
      harness ??= createHarness(subject, host, effort);
      return judgeClause({ clause, question: clause.adapter, disclaimed }, harness, running);
    }
    if (!isGuarded(subject)) throw new Error(`${clause.id} is about guards.`);
    guardHarness ??= createGuardHarness(subject, effort);
    return judgeClause({ clause, question: clause.guard, disclaimed }, guardHarness, running);
  };
}

async function* judgeAdapter(
  subject: AdapterSubject,
  options: JudgeOptions,
): AsyncGenerator<Verdict> {
  const ask = askAdapter(subject, options);
  for (const clause of clausesFor(subject, options.only)) {
    const verdict = await ask(clause);
    if (options.signal?.aborted) return;
    yield verdict;
  }
}
