import { test } from "vitest";
import type { ClauseText } from "./clause.ts";
import type { Verdict } from "./judge-clause.ts";
import { report } from "./report/text.ts";

/** @throws Error with the report if the clause is broken. */
export function assertKept(verdict: Verdict): void {
  if (verdict.status === "broken") throw new Error(report(verdict));
}

/**
 * Defines a test for a clause. A clause that cannot be judged or is not claimed is skipped with the
 * reason.
 */
export function testClause(
  { id, rule }: Pick<ClauseText, "id" | "rule">,
  timeout: number,
  ask: () => Promise<Verdict>,
): void {
  test(`${id}: ${rule}`, { timeout }, async ({ skip }) => {
    const verdict = await ask();
    assertKept(verdict);
    if (verdict.status !== "kept") skip(verdict.reason);
  });
}
