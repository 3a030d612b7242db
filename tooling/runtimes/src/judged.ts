import { judge, type Subject, type Verdict } from "@fullstop/conformance";

/** What one package's subjects did on one runtime. */
export interface Judged {
  readonly kept: number;
  readonly notClaimed: number;
  readonly proofs: number;
  /** A sentence for each clause that is broken. */
  readonly broken: readonly string[];
}

/** Asks every subject every clause. Uses nothing that a runtime may lack. */
export async function judged(subjects: readonly Subject[]): Promise<Judged> {
  if (subjects.length === 0) throw new Error("There is nobody to judge.");
  const verdicts: (Verdict & { readonly of: string })[] = [];
  for (const subject of subjects)
    for await (const verdict of judge(subject))
      verdicts.push({ ...verdict, of: subject.wire.name });
  const count = (wanted: Verdict["status"]): number =>
    verdicts.filter(({ status }) => status === wanted).length;
  return {
    kept: count("kept"),
    notClaimed: count("not-claimed"),
    proofs: verdicts.reduce((sum, { checks: proofs }) => sum + proofs, 0),
    broken: verdicts.flatMap(({ of, clause, broken }) =>
      broken
        .slice(0, 1)
        .map(
          ({ at, expected, actual }) =>
            `${of}, ${clause.id}, ${at}: expected ${expected}, was ${actual}`,
        ),
    ),
  };
}
