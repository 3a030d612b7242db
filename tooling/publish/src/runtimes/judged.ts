import { judge, type Verdict } from "@fullstop/conformance";
import type { CollectedSubject } from "../../consumer/collect.ts";

/** The results of a package on one runtime. */
export interface RuntimeResult {
  readonly kept: number;
  readonly notClaimed: number;
  readonly checks: number;
  /** One sentence for each broken clause. */
  readonly broken: readonly string[];
}

/** The first check of a broken clause, as a sentence. */
export const brokenLine = (of: string, { clause, broken }: Verdict): readonly string[] =>
  broken
    .slice(0, 1)
    .map(
      ({ at, expected, actual }) =>
        `${of}, ${clause.id}, ${at}: expected ${expected}, was ${actual}`,
    );

/** Judges each subject by the clauses that its test names. Uses no API that a runtime may lack. */
export async function judgeAll(collected: readonly CollectedSubject[]): Promise<RuntimeResult> {
  if (collected.length === 0) throw new Error("There is no subject to judge.");
  const verdicts: (Verdict & { readonly of: string })[] = [];
  for (const { subject, only, sample } of collected)
    for await (const verdict of judge(subject, { only, sample }))
      verdicts.push({ ...verdict, of: subject.wire.name });
  const count = (wanted: Verdict["status"]): number =>
    verdicts.filter(({ status }) => status === wanted).length;
  return {
    kept: count("kept"),
    notClaimed: count("not-asked") + count("not-claimed"),
    checks: verdicts.reduce((sum, { checks }) => sum + checks, 0),
    broken: verdicts.flatMap((verdict) => brokenLine(verdict.of, verdict)),
  };
}
