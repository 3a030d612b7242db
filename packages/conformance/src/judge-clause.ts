import type { ClauseText, Question } from "./clause.ts";
import type { Check } from "./harness/check.ts";
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

/** A clause, and how it is asked. */
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
