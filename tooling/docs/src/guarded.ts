import type { ReportedSubject } from "@fullstop/conformance";
import { readResults } from "./blocks.ts";
import { coderText } from "./coder-report.ts";
import { readCoders } from "./coders.ts";
import { corpusRunsText, readCorpusRuns } from "./corpus-runs.ts";
import { agentClauses, type Field, type MeasuredSystem } from "./field.ts";
import { markedName } from "./field-tables.ts";
import { gatewaysText, readGateways } from "./gateways.ts";
import { brief, inProse, table } from "./markdown.ts";

/** The results of `pnpm field --guarded`, from the root of the repository. */
export const guardedFile = "tooling/field/guarded.json";
export const readGuarded = (): Field | undefined => readResults(guardedFile);

/** What is counted in the table. */
type Harm = "ran" | "lost" | "invalid";
/** The clauses whose failed checks show each harm. A check is one run of a program. */
const clausesOfHarm: Readonly<Record<Harm, readonly string[]>> = {
  ran: [
    "stop.words",
    "stop.unknown-word",
    "stop.no-word",
    "stop.without-calls",
    "stop.cut",
    "stop.used-up",
    "call.siblings",
    "call.cut-input",
    "call.invalid-json",
    "wire.malformed-frame",
    "wire.page-inside",
    "wire.reset",
    "error.in-band",
    "error.then-end",
  ],
  lost: ["stop.whole", "stop.text-word", "recovery.failures"],
  invalid: ["request.valid"],
};
const harms = Object.keys(clausesOfHarm) as readonly Harm[];

/** A failed check, and where it was seen. */
interface FailedCheck {
  readonly subject: string;
  readonly clause: string;
  readonly at: string;
  readonly actual: string;
}

const failedChecks = (
  subjects: readonly ReportedSubject[],
  clauses: readonly string[],
): readonly FailedCheck[] =>
  subjects.flatMap(({ name, findings }) =>
    clauses.flatMap((clause) =>
      (findings[clause]?.broken ?? []).map(({ at, actual }) => ({
        subject: name,
        clause,
        at,
        actual,
      })),
    ),
  );

/** `3 / 60`: failed / asked. */
function failureRate(subjects: readonly ReportedSubject[], clauses: readonly string[]): string {
  const asked = subjects
    .flatMap(({ findings }) => clauses.map((clause) => findings[clause]?.checks ?? 0))
    .reduce((sum, checks) => sum + checks, 0);
  return asked === 0 ? "not run" : `${failedChecks(subjects, clauses).length} / ${asked}`;
}

/** `1.0.0`, or `1.0.0 → 1.0.1` if the two measurements had different versions. */
const versionsOf = (before: MeasuredSystem, after: MeasuredSystem): string =>
  [...new Set([before.version ?? "–", after.version ?? "–"])].join(" → ");

const harmCells = (
  before: readonly ReportedSubject[],
  after: readonly ReportedSubject[],
): readonly string[] =>
  harms.map((harm) =>
    [before, after].map((subjects) => failureRate(subjects, clausesOfHarm[harm])).join(" → "),
  );

const subjectsOf = ({ systems }: Field): readonly ReportedSubject[] =>
  systems.flatMap(({ subjects }) => subjects);

/** The failed checks of all systems, by what they show. */
export function harmsOf(field: Field): Readonly<Record<Harm, readonly FailedCheck[]>> {
  const subjects = subjectsOf(field);
  return {
    ran: failedChecks(subjects, clausesOfHarm.ran),
    lost: failedChecks(subjects, clausesOfHarm.lost),
    invalid: failedChecks(subjects, clausesOfHarm.invalid),
  };
}

/** What fails behind the gateway and does not fail without it. */
export function newFailures(
  before: Field,
  after: Field,
  clauses: readonly string[],
): readonly FailedCheck[] {
  const keyOf = ({ subject, clause, at }: FailedCheck): string => [subject, clause, at].join("\n");
  const known = new Set(failedChecks(subjectsOf(before), clauses).map(keyOf));
  return failedChecks(subjectsOf(after), clauses).filter((failed) => !known.has(keyOf(failed)));
}

function guardedTable(pairs: readonly (readonly [MeasuredSystem, MeasuredSystem])[]): string {
  const rows = pairs.map(([before, after]) => [
    markedName(after.title, after),
    versionsOf(before, after),
    ...harmCells(before.subjects, after.subjects),
  ]);
  const all = (index: 0 | 1): readonly ReportedSubject[] =>
    pairs.flatMap((pair) => pair[index].subjects);
  return table(
    ["system", "version", "ran and must not", "legitimate, and lost", "next request invalid"],
    [...rows, ["all", "", ...harmCells(all(0), all(1))]],
  );
}

const describeFailure = ({ subject, clause, at, actual }: FailedCheck): string =>
  `- ${subject}, \`${clause}\`: ${inProse(at)}: \`${brief(actual)}\``;

/** Whether two measurements asked the same replies: those of different suites do not compare. */
function askedAlike(before: MeasuredSystem, after: MeasuredSystem): boolean {
  const countReplies = ({ subjects }: MeasuredSystem): string =>
    subjects
      .map(({ name, findings }) =>
        [name, findings["stop.words"]?.checks, findings["stop.cut"]?.checks].join(" "),
      )
      .join("\n");
  return countReplies(before) === countReplies(after);
}

/** The systems behind the gateway, compared with the systems alone, as a section of the report. */
export function guardedText(before: Field, after: Field): string {
  const known = new Map(before.systems.map((system) => [system.name, system]));
  const pairs = after.systems.flatMap((system) => {
    const alone = known.get(system.name);
    return alone === undefined || !askedAlike(alone, system) ? [] : [[alone, system] as const];
  });
  const compared = { ...after, systems: pairs.map(([, system]) => system) };
  const left = after.systems.filter((system) => !compared.systems.includes(system));
  const clauses = agentClauses.map(({ id }) => id);
  const { ran, lost, invalid } = harmsOf(compared);
  const remaining = [...ran, ...lost, ...invalid].map(describeFailure);
  const worse = newFailures(before, compared, clauses).map(describeFailure);
  return `## Behind the gateway

The same programs, not changed in any line, with \`@fullstop/gateway\` between them and the server: \`pnpm field --guarded\`. A cell is *failed / asked* without the gateway → behind it, over all configurations of a system. Each check is one run of the program.

- *ran and must not*: replies of which nothing may run (${nameClauses("ran")}).
- *legitimate, and lost*: finished replies, whose calls must run (${nameClauses("lost")}).
- *next request invalid*: as it reaches the server, after any of these replies (${nameClauses("invalid")}).

${guardedTable(pairs)}
${left.length === 0 ? "" : `\nNot compared, because the two measurements asked different replies: ${left.map(({ title }) => title).join(", ")}.\n`}
${worse.length === 0 ? "No check fails behind the gateway that does not fail without it." : `What fails only behind the gateway:\n\n${worse.join("\n")}`}

${remaining.length === 0 ? "Nothing of the table fails behind it." : `What of the table still fails behind it:\n\n${remaining.join("\n")}\n`}
As data: [guarded.json](../${guardedFile}).`;
}

const nameClauses = (harm: Harm): string => clausesOfHarm[harm].map((id) => `\`${id}\``).join(", ");

/** The sections of the report for what was measured beside the systems alone. */
export function fieldSections(field: Field): readonly string[] {
  const guarded = readGuarded();
  const runs = readCorpusRuns();
  const coders = readCoders();
  const gateways = readGateways();
  return [
    ...(guarded === undefined ? [] : [guardedText(field, guarded)]),
    ...(runs === undefined ? [] : [corpusRunsText(runs)]),
    ...(coders === undefined ? [] : [coderText(coders)]),
    ...(gateways === undefined ? [] : [gatewaysText(gateways)]),
  ];
}
