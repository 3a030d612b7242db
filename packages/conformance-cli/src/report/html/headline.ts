import {
  countByStatus,
  countClaimed,
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
  one(times: number): string;
  readonly many: string;
}[] = [
  { status: "broken", one: (times) => `breaks ${countClauses(times)}`, many: "break a clause" },
  {
    status: "stale",
    one: (times) => `keeps ${countClauses(times)} that it was expected to break`,
    many: "keep a clause that they were expected to break",
  },
  {
    status: "expected-failure",
    one: (times) => `breaks ${countClauses(times)}, as expected`,
    many: "break a clause, as expected",
  },
];
const countClauses = (times: number): string => (times === 1 ? "1 clause" : `${times} clauses`);

/** Summarizes a report in one sentence. Ignores subjects that were not asked anything. */
export function createHeadline({ clauses, subjects }: Report): string {
  const asked = subjects
    .map((subject) => ({ name: subject.name, counts: countByStatus(entriesOf(subject, clauses)) }))
    .filter(({ counts }) => countClaimed(counts) > 0);
  const [only, ...others] = asked;
  if (only === undefined) return "Nothing was asked";
  for (const { status, one, many } of failureHeadlines) {
    const affected = asked.filter(({ counts }) => counts[status] > 0).length;
    if (affected > 0)
      return others.length === 0
        ? `${only.name} ${one(only.counts[status])}`
        : `${affected} of ${asked.length} subjects ${many}`;
  }
  return others.length === 0
    ? `${only.name} keeps every clause that it claims`
    : `All ${asked.length} subjects keep every clause that they claim`;
}
