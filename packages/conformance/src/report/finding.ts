import type { Verdict } from "../judge.ts";
import type { Finding, Report, Status } from "./report.ts";

/** The statuses that make a report fail. */
export const isRed: Readonly<Record<Status, boolean>> = {
  kept: false,
  broken: true,
  stale: true,
  "expected-failure": false,
  "not-claimed": false,
  "not-run": false,
};

/** A clause that a report has no finding for was not run. */
const notRun: Finding = { status: "not-run", proofs: 0, broken: [] };

/** What a report says of a clause and a subject. */
export const findingOf = (subject: Report["subjects"][number], clause: string): Finding => subject.findings[clause] ?? notRun;

/** A verdict as a finding. `expected` is why it is expected to be broken. */
export function finding({ status, proofs, broken, reason }: Verdict, expected: string | undefined): Finding {
  const found: Finding = { status, proofs, broken, ...(reason === undefined ? {} : { reason }) };
  if (expected === undefined) return found;
  if (status === "broken") return { ...found, status: "expected-failure", reason: expected };
  return { ...found, status: "stale", reason: `listed as an expected failure, and ${status === "kept" ? "kept" : "not claimed"}` };
}

/** Whether anything in it is broken that was not expected to be, or expected to be and is not. */
export const fails = ({ clauses, subjects }: Report): boolean =>
  subjects.some((subject) => clauses.some(({ id }) => isRed[findingOf(subject, id).status]));
