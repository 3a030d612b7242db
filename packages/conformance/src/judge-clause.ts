import {
  type ClauseFor,
  type ClauseText,
  type Only,
  type Question,
  selectChecks,
} from "./clause.ts";
import { type Check, maxKeptChecks } from "./harness/check.ts";
import { type CheckResults, type RunChecksOptions, runChecks } from "./harness/run-checks.ts";
import { assertRuntime } from "./runtime.ts";

/** The result of asking a subject about one clause. */
export interface Verdict extends CheckResults {
  readonly clause: ClauseText;
  readonly status: "kept" | "broken" | "not-asked" | "not-claimed";
  /** Why the clause is not asked or not claimed, or which of its checks say nothing about the subject. */
  readonly reason?: string;
}

/** A clause that a subject is asked. After an abort the verdict means nothing. */
export interface AskedClause {
  readonly clause: ClauseText;
  ask(): Promise<Verdict>;
}

export interface AskingOptions extends RunChecksOptions {
  readonly only?: Only;
  /** The ids of clauses that the subject does not keep, each with the reason. */
  readonly notClaimed?: Readonly<Record<string, string>> | undefined;
}

/** What came of a question. A text is why it was not asked. */
type Asked = CheckResults | string;

export const askQuestion = async <Harness>(
  question: Question<Harness>,
  harness: Harness,
  options: RunChecksOptions,
): Promise<Asked> => question.whyNotAsked?.(harness) ?? runChecks(question, harness, options);

function statusByChecks({ checks, broken }: CheckResults): Verdict["status"] {
  if (broken.length > 0) return "broken";
  return checks > 0 ? "kept" : "not-asked";
}

const staleClaim = (why: string): Check => ({
  at: `notClaimed: ${why}`,
  expected: "a clause that this subject breaks",
  actual: "the subject keeps the clause: remove it from notClaimed",
});

/** `disclaimed`: why the subject does not claim the clause. */
function verdictOn(clause: ClauseText, asked: Asked, disclaimed: string | undefined): Verdict {
  if (typeof asked === "string") {
    const reason = disclaimed === undefined ? asked : `${asked}; not claimed: ${disclaimed}`;
    return { clause, status: "not-asked", checks: 0, broken: [], reason };
  }
  const status = statusByChecks(asked);
  if (disclaimed === undefined) return { clause, status, ...asked };
  const { checks, notAsked = [] } = asked;
  if (status === "kept")
    return { clause, status: "broken", checks, broken: [staleClaim(disclaimed)] };
  const reason = [disclaimed, ...notAsked.map((what) => `not asked ${what}`)].join("; ");
  return { clause, status: "not-claimed", checks, broken: [], reason };
}

function listIds(ids: readonly string[]): string {
  if (ids.length === 0) return "It has none";
  const more = ids.length > maxKeptChecks ? ` and ${ids.length - maxKeptChecks} more` : "";
  return `It has ${ids.slice(0, maxKeptChecks).join(", ")}${more}`;
}

/** @throws Error if none of the ids is that of the check. */
export function assertCheckId(clause: string, checkId: string, ids: readonly string[]): void {
  if (!ids.includes(checkId))
    throw new Error(`${clause} has no check "${checkId}". ${listIds(ids)}.`);
}

function onlyCheck(verdict: Verdict, checkId: string): Verdict {
  const { clause, checkIds = [], broken } = verdict;
  if (verdict.status !== "kept" && verdict.status !== "broken") return verdict;
  const failed = broken.filter(({ id }) => id === checkId || id === undefined);
  if (failed.length === 0) assertCheckId(clause.id, checkId, checkIds);
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

/**
 * The clauses that `only` names. `run` asks one; `checkId` is the only check of it that counts.
 * @throws Error if `only` names an unknown clause, or if the runtime is too old for the suite.
 */
export const askEach = <Item extends ClauseText>(
  clauses: readonly Item[],
  { only, notClaimed = {}, ...options }: AskingOptions,
  run: (clause: Item, options: RunChecksOptions, checkId: string | undefined) => Promise<Asked>,
): readonly AskedClause[] => {
  assertRuntime();
  return selectChecks(only, clauses).map(([clause, checkId]) => {
    const { id, rule, level, references } = clause;
    const text = { id, rule, level, references };
    return {
      clause: text,
      ask: async () => {
        const verdict = verdictOn(text, await run(clause, options, checkId), notClaimed[id]);
        return checkId === undefined ? verdict : onlyCheck(verdict, checkId);
      },
    };
  });
};

/** @throws Error if `only` or `notClaimed` names an unknown clause. */
export function askAbout<Harness>(
  clauses: readonly ClauseFor<Harness>[],
  harness: Harness,
  options: AskingOptions,
): readonly AskedClause[] {
  assertClaims(options.notClaimed ?? {}, clauses);
  return askEach(clauses, options, ({ question }, running) =>
    askQuestion(question, harness, running),
  );
}

/** The verdicts, in order. None follows an abort. */
export async function* verdictsOf(
  asked: readonly AskedClause[],
  signal?: AbortSignal | undefined,
): AsyncGenerator<Verdict> {
  for (const { ask } of asked) {
    const verdict = await ask();
    if (signal?.aborted) return;
    yield verdict;
  }
}
