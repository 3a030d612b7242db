import {
  countByStatus,
  countClaimed,
  type Entry,
  entriesOf,
  type Report,
  type Status,
} from "@fullstop/conformance/report";

/**
 * The worst status decides the headline. `one`: for a single subject; `many`: after the number of
 * subjects.
 */
const failureHeadlines: readonly {
  readonly status: Status;
  /** Of which clauses it is; all by default. */
  readonly level?: Entry["clause"]["level"];
  one(times: number): string;
  readonly many: string;
}[] = [
  {
    status: "broken",
    level: "must",
    one: (times) => `breaks ${countClauses(times)}`,
    many: "break a clause",
  },
  {
    status: "stale",
    one: (times) => `keeps ${countClauses(times)} that it was expected to break`,
    many: "keep a clause that they were expected to break",
  },
  {
    status: "broken",
    one: (times) => `breaks ${countClauses(times)} that it should keep, and none that it must keep`,
    many: "break only clauses that they should keep",
  },
  {
    status: "expected-failure",
    one: (times) => `breaks ${countClauses(times)}, as expected`,
    many: "break a clause, as expected",
  },
];
/** What to add if clauses are broken that only should be kept. */
function describeAdvice(entries: readonly Entry[]): string {
  const broken = entries.filter(({ status }) => status === "broken");
  const times = broken.filter(({ clause }) => clause.level === "should").length;
  return times === 0 ? "" : `, and ${times} that it only should keep`;
}
const countClauses = (times: number): string => (times === 1 ? "1 clause" : `${times} clauses`);

/** Summarizes a report in one sentence. Ignores subjects that were not asked anything. */
export function createHeadline({ clauses, subjects }: Report): string {
  const asked = subjects
    .map((subject) => ({ name: subject.name, entries: entriesOf(subject, clauses) }))
    .filter(({ entries }) => countClaimed(countByStatus(entries)) > 0);
  const [only, ...others] = asked;
  if (only === undefined) return "Nothing was asked";
  for (const { status, level, one, many } of failureHeadlines) {
    const timesOf = ({ entries }: (typeof asked)[number]): number =>
      entries.filter(
        (entry) => entry.status === status && (level ?? entry.clause.level) === entry.clause.level,
      ).length;
    const affected = asked.filter((subject) => timesOf(subject) > 0).length;
    if (affected > 0)
      return others.length === 0
        ? `${only.name} ${one(timesOf(only))}${level === undefined ? "" : describeAdvice(only.entries)}`
        : `${affected} of ${asked.length} subjects ${many}`;
  }
  return others.length === 0
    ? `${only.name} keeps every clause that it claims`
    : `All ${asked.length} subjects keep every clause that they claim`;
}
