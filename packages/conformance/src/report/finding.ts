import { type Check, maxKeptChecks, sortByDamage } from "../harness/check.ts";
import type { Verdict } from "../judge-clause.ts";
import { type Finding, type ReportedCheck, statuses } from "./report.ts";

/** The expected failures of a clause: why all of it, or why each check by its id, fails. */
export type ExpectedFailure = string | Readonly<Record<string, string>>;

/** The stable name of a check, such as `stop.words/refusal`. `undefined` if it has no id. */
export const checkName = (clause: string, { id }: Pick<Check, "id">): string | undefined =>
  id === undefined ? undefined : `${clause}/${id}`;

const foundBy = ({ status, checks, broken, all, reason, notAsked }: Verdict): Finding => ({
  status,
  checks,
  broken: all ? broken : broken.slice(0, maxKeptChecks),
  ...(all && { all }),
  ...(reason === undefined ? {} : { reason }),
  ...(notAsked && { notAsked }),
});

function describeStale({ clause, checkIds = [], status }: Verdict, id: string): string {
  const name = checkName(clause.id, { id });
  if (status === "not-asked" || status === "not-claimed")
    return `${name} is listed as an expected failure, but its clause is ${statuses[status].label}`;
  if (checkIds.includes(id)) return `${name} is listed as an expected failure, but kept`;
  const known =
    checkIds.length === 0
      ? `its checks have no ids: list ${clause.id} instead`
      : `was not judged: the checks that were are ${checkIds.join(", ")}`;
  return `${name} is listed as an expected failure, but ${known}`;
}

/** The finding of a clause of which some checks are expected to fail. */
function withExpectedChecks(verdict: Verdict, reasons: Readonly<Record<string, string>>): Finding {
  const reasonFor = ({ id }: Check): string | undefined =>
    id !== undefined && Object.hasOwn(reasons, id) ? reasons[id] : undefined;
  const failed = verdict.status === "broken" ? verdict.broken : [];
  const unexpected = failed.filter((check) => reasonFor(check) === undefined);
  const expected = failed.flatMap((check): readonly ReportedCheck[] => {
    const expectedFailure = reasonFor(check);
    return expectedFailure === undefined ? [] : [{ ...check, expectedFailure }];
  });
  const stale = Object.keys(reasons)
    .filter((id) => !expected.some((check) => check.id === id))
    .map((id) => describeStale(verdict, id));
  const broken = [...sortByDamage(unexpected), ...sortByDamage(expected)];
  const found = foundBy({ ...verdict, broken });
  if (unexpected.length > 0)
    return {
      ...found,
      ...(stale.length > 0 && { reason: [...stale, verdict.reason ?? []].flat().join("; ") }),
    };
  if (stale.length > 0) return { ...found, status: "stale", reason: stale.join("; ") };
  return {
    ...found,
    status: "expected-failure",
    reason: expected.map(({ id, expectedFailure }) => `${id}: ${expectedFailure}`).join("; "),
  };
}

/** Converts a verdict to a finding. `expected`: which failures are expected, and why. */
export function finding(verdict: Verdict, expected?: ExpectedFailure | undefined): Finding {
  if (typeof expected === "object" && Object.keys(expected).length > 0)
    return withExpectedChecks(verdict, expected);
  const found = foundBy(verdict);
  if (typeof expected !== "string") return found;
  if (verdict.status === "broken")
    return { ...found, status: "expected-failure", reason: expected };
  return {
    ...found,
    status: "stale",
    reason: `listed as an expected failure, but ${statuses[verdict.status].label}`,
  };
}
