import { type ClauseFor, familyOf, type Only, textForWire } from "./clause.ts";
import { adapterClauses, clauses, guardClauses, loopClauses } from "./clauses/index.ts";
import { createGuardHarness } from "./guard/harness.ts";
import { createHarness } from "./harness/harness.ts";
import { type Host, inProcess } from "./harness/host.ts";
import type { RunChecksOptions } from "./harness/run-checks.ts";
import {
  type AskedClause,
  askEach,
  askQuestion,
  assertCheckId,
  assertClaims,
  type Verdict,
  verdictsOf,
} from "./judge-clause.ts";
import { createRunHarness, type RunHarness, type RunObserver } from "./loop/harness.ts";
import type { AdapterSubject, Subject } from "./subject.ts";

/** Which clauses are asked, how thoroughly, and where requests go. */
export interface JudgeOptions {
  /** A clause (`stop.cut`), a family (`stop`), a check (`stop.words/refusal`), or several. */
  readonly only?: Only;
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
  yield* verdictsOf(askSubject(subject, options), options.signal);
}

/**
 * The clauses that fit a subject, to be asked in any order, an adapter one at a time. Clauses that
 * look at the same turns or runs share them.
 * @throws Error if `only` or `notClaimed` names an unknown clause, or if a guard cannot read the wire.
 */
export function askSubject(subject: Subject, options: JudgeOptions): readonly AskedClause[] {
  const { notClaimed = {}, wire } = subject;
  assertClaims(notClaimed, clauses);
  if ("adapter" in subject) return askAdapter(subject, options);
  let harness: Promise<RunHarness> | undefined;
  return askEach(
    loopClauses.map((clause) => textForWire(clause, wire.name)),
    { ...options, notClaimed },
    async ({ id, question }, running, checkId) => {
      harness ??= createRunHarness(subject, options);
      const ready = await harness;
      if (checkId !== undefined) assertCheckId(id, checkId, question.checkIds?.(ready) ?? []);
      return askQuestion(question, { ...ready, checkId }, running);
    },
  );
}

/** @throws Error if the guard of the subject cannot read the framing of its wire. */
function assertGuard(subject: AdapterSubject): void {
  const { name, framing = "sse" } = subject.wire;
  if (subject.guard !== undefined && framing !== "sse")
    throw new Error(
      `The wire ${name} does not use server-sent events, and guards read no other stream. Remove \`guard\` from the subject.`,
    );
}

/** @throws Error if one of the names is that of a check. */
export function assertNoCheckIds(only: Only): void {
  const name = [only ?? []].flat().find((one) => one.includes("/"));
  if (name !== undefined)
    throw new Error(
      `The checks of an adapter have no ids, so "${name}" cannot be asked alone. Name the clause: ${name.slice(0, name.indexOf("/"))}.`,
    );
}

/** The clauses with functions that ask them. The first that is asked creates the harness. */
function withHarness<Asked>(from: readonly ClauseFor<Asked>[], create: () => Asked) {
  let harness: Asked | undefined;
  return from.map(({ question, ...text }) => ({
    ...text,
    ask: (running: RunChecksOptions) => {
      harness ??= create();
      return askQuestion(question, harness, running);
    },
  }));
}

/** The clauses about guards are asked only of an adapter that stands behind one. */
function askAdapter(subject: AdapterSubject, options: JudgeOptions): readonly AskedClause[] {
  const { exhaustive = false, sample, host = inProcess(), only, all, first, signal } = options;
  assertNoCheckIds(only);
  assertGuard(subject);
  const effort = { exhaustive, sample };
  const questions = [
    ...withHarness(adapterClauses, () => createHarness(subject, host, effort)),
    ...withHarness(guardClauses, () => createGuardHarness(subject, effort)),
  ];
  const { notClaimed } = subject;
  const asking = { only, notClaimed, all, first, signal, stackTraces: false } as const;
  const asked = askEach(questions, asking, ({ ask }, running) => ask(running)).filter(
    ({ clause }) => subject.guard !== undefined || familyOf(clause.id) !== "guard",
  );
  if (asked.length === 0)
    throw new Error(`"${only}" is about guards. Give the subject its \`guard\`.`);
  return asked;
}
