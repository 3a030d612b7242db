import { test } from "vitest";
import type { AskedClause, Verdict } from "./judge-clause.ts";
import { report } from "./report/text.ts";

/** @throws Error with the report if the clause is broken. */
export function assertKept(verdict: Verdict): void {
  if (verdict.status === "broken") throw new Error(report(verdict));
}

interface ClauseTests {
  /** The time limit of a test. */
  readonly timeout: number;
  onVerdict?(verdict: Verdict): void;
}

/**
 * Defines a test for each clause. A clause that cannot be judged or is not claimed is skipped with
 * the reason. Clauses share what they read, unless the one before is still asked after its time
 * limit, or at the same time.
 */
export function testClauses(
  { timeout, onVerdict }: ClauseTests,
  create: () => readonly AskedClause[],
): readonly AskedClause[] {
  const all = create();
  let idle: readonly AskedClause[] | undefined = all;
  const ask = async (index: number): Promise<Verdict> => {
    const asked = idle ?? create();
    idle = undefined;
    const verdict = await (asked[index] as AskedClause).ask();
    idle = asked;
    return verdict;
  };
  for (const [index, { clause }] of all.entries())
    test(`${clause.id}: ${clause.rule}`, { timeout }, async ({ skip }) => {
      const verdict = await ask(index);
      onVerdict?.(verdict);
      assertKept(verdict);
      if (verdict.status !== "kept") skip(verdict.reason);
    });
  return all;
}
