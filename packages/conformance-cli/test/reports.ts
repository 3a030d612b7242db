import { finding, judge, type Report, type Subject } from "@fullstop/conformance";

/**
 * A text that must not break a report: markup, quotes, control characters, lone surrogates,
 * reversed text.
 */
export const hostile: string = `</td></summary></details></style></script><script>document.title='taken'</script><img src=x onerror="document.title='taken'">"'&amp;]]>\u0000\u0008\u001b[31mred\u001b[0m\r\u007f\u0085\ud800x\udfff\uffff\u202etxt\u2028\n\tend`;

/** A report with every status, in which every text is hostile. */
export const hostileReport: Report = {
  suite: hostile,
  at: "2026-11-22T02:00:00.000Z",
  clauses: ["kept", "broken", "stale", "expected-failure", "not-asked", "not-run"].map((name) => ({
    id: `some.${name}`,
    rule: `Rule ${name} ${hostile}`,
    level: name === "stale" ? "should" : "must",
    references: [
      { issue: "earendil-works/pi#6285" },
      { issue: "x/y#7", wire: `wire ${hostile}` },
      { issue: "unheard-of#1", note: hostile },
      { url: "https://example.test/a?b=1&c=d", note: "javascript:alert(1)" },
      { url: "javascript:alert(1)" },
    ],
  })),
  subjects: [`first ${hostile}`, "second"].map((name) => ({
    name,
    wire: `wire ${hostile}`,
    versions: { '<b>"&\u001b': hostile },
    command: `npx ${hostile}`,
    findings: {
      "some.kept": { status: "kept", checks: 1204, broken: [] },
      "some.broken": {
        status: "broken",
        checks: 30,
        broken: Array.from({ length: 7 }, (_, n) => ({
          at: `try ${n} ${hostile}`,
          expected: `expected ${hostile}`,
          actual: `actual ${hostile}`,
          bytes: `data: ${hostile}`,
          bytesOf: "reply",
          id: `id ${hostile}`,
          severity: `severity ${hostile}`,
          source: { evidence: "seen", references: [{ issue: "x/y#8", note: hostile }] },
        })),
      },
      "some.stale": { status: "stale", checks: 1, broken: [], reason: `stale ${hostile}` },
      "some.expected-failure": {
        status: "expected-failure",
        checks: 2,
        broken: [
          {
            at: "the only one",
            expected: "this",
            actual: "that",
            bytes: `{"text":${JSON.stringify(hostile)}}`,
            bytesOf: "request",
            id: "only",
            expectedFailure: hostile,
          },
        ],
        reason: `known ${hostile}`,
      },
      "some.not-asked": {
        status: "not-asked",
        checks: 0,
        broken: [],
        reason: `unable ${hostile}`,
      },
    },
  })),
};

/** Judges a subject and creates the report. */
export async function createReport(name: string, subject: Subject, only: string): Promise<Report> {
  const clauses: Report["clauses"][number][] = [];
  const findings: Record<string, Report["subjects"][number]["findings"][string]> = {};
  for await (const verdict of judge(subject, { only })) {
    const { id, rule, level, references } = verdict.clause;
    clauses.push({ id, rule, level, references });
    findings[id] = finding(verdict);
  }
  return {
    suite: "0.0.0",
    at: new Date().toISOString(),
    clauses,
    subjects: [{ name, wire: subject.wire.name, findings }],
  };
}
