import {
  type ClauseAbout,
  type ClauseText,
  type Question,
  selectClauses,
  splitCheck,
} from "./clause.ts";
import { type Check, maxKeptChecks } from "./harness/check.ts";
import { type CheckResults, type RunChecksOptions, runChecks } from "./harness/run-checks.ts";

/** The result of asking a subject about one clause. */
export interface Verdict extends CheckResults {
  readonly clause: ClauseText;
  readonly status: "kept" | "broken" | "not-asked" | "not-claimed";
  /** Why the clause is not asked or not claimed, or which of its checks say nothing about the subject. */
  readonly reason?: string;
}

function statusByChecks({ checks, broken }: Pick<Verdict, "checks" | "broken">): Verdict["status"] {
  if (broken.length > 0) return "broken";
  return checks > 0 ? "kept" : "not-asked";
}

export interface AskedClause<Asked> {
  readonly clause: ClauseText;
  readonly question: Question<Asked>;
  /** Why the subject does not claim the clause. */
  readonly disclaimed?: string | undefined;
}

/** Asks a subject about one clause. After an abort the verdict means nothing. */
export async function judgeClause<Asked>(
  { clause, question, disclaimed }: AskedClause<Asked>,
  harness: Asked,
  options: RunChecksOptions,
): Promise<Verdict> {
  const whyNotAsked = question.whyNotAsked?.(harness);
  if (whyNotAsked !== undefined)
    return { clause, status: "not-asked", checks: 0, broken: [], reason: whyNotAsked };
  const result = await runChecks(question, harness, options);
  const { checks } = result;
  if (disclaimed === undefined) return { clause, status: statusByChecks(result), ...result };
  if (statusByChecks(result) !== "kept")
    return { clause, status: "not-claimed", checks, broken: [], reason: disclaimed };
  const stale: Check = {
    at: `notClaimed: ${disclaimed}`,
    expected: "a clause that this subject breaks",
    actual: "the subject keeps the clause: remove it from notClaimed",
  };
  return { clause, status: "broken", checks, broken: [stale] };
}

/** The names of many checks in a sentence. */
function listIds(ids: readonly string[]): string {
  if (ids.length === 0) return "It has none";
  const more = ids.length > maxKeptChecks ? ` and ${ids.length - maxKeptChecks} more` : "";
  return `It has ${ids.slice(0, maxKeptChecks).join(", ")}${more}`;
}

/** The message for an id that no check of a clause has. */
export const unknownCheckMessage = (
  clause: string,
  checkId: string,
  ids: readonly string[],
): string => `${clause} has no check "${checkId}". ${listIds(ids)}.`;

/** The verdict on one check: the others are left out. */
function onlyCheck(verdict: Verdict, checkId: string): Verdict {
  const { clause, checkIds = [], broken } = verdict;
  if (verdict.status !== "kept" && verdict.status !== "broken") return verdict;
  const failed = broken.filter(({ id }) => id === checkId || id === undefined);
  if (!checkIds.includes(checkId) && failed.length === 0)
    throw new Error(unknownCheckMessage(clause.id, checkId, checkIds));
  const status = failed.length > 0 ? "broken" : "kept";
  return { ...verdict, status, checks: 1, checkIds: [checkId], broken: failed };
}

/** @throws Error if `notClaimed` names a clause that is not among these. */
export function assertClaims(
  notClaimed: Readonly<Record<string, string>>,
  from: readonly ClauseText[],
): void {
  for (const id of Object.keys(notClaimed))
    if (!from.some((clause) => clause.id === id))
      throw new Error(`notClaimed names the unknown clause "${id}".`);
}

/** Asks about each clause, in order. Yields no further verdict after an abort. */
export async function* judgeClauses<Asked>(
  asked: readonly AskedClause<Asked>[],
  harness: Asked,
  { checkId, ...options }: RunChecksOptions & { readonly checkId?: string | undefined },
): AsyncGenerator<Verdict> {
  for (const one of asked) {
    const verdict = await judgeClause(one, harness, options);
    if (options.signal?.aborted) return;
    yield checkId === undefined ? verdict : onlyCheck(verdict, checkId);
  }
}

/** Asks about the clauses about another kind of subject that `only` names. */
export async function* judgeAbout<Harness, Sound>(
  clauses: readonly ClauseAbout<Harness, Sound>[],
  harness: Harness,
  { only, notClaimed = {}, ...options }: AboutOptions,
): AsyncGenerator<Verdict> {
  assertClaims(notClaimed, clauses);
  const { clause: named, checkId } = only === undefined ? {} : splitCheck(only);
  const asked = selectClauses(named, clauses).map(({ question, mutants: _, ...clause }) => ({
    clause,
    question,
    disclaimed: notClaimed[clause.id],
  }));
  yield* judgeClauses(asked, harness, { ...options, checkId });
}

interface AboutOptions extends RunChecksOptions {
  /** A clause, a family, or one check of a clause. */
  readonly only?: string | undefined;
  readonly notClaimed?: Readonly<Record<string, string>> | undefined;
}
