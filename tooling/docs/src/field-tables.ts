import type { ClauseText, Finding, ReportedSubject } from "@fullstop/conformance";
import { countByLevel, entriesOf } from "@fullstop/conformance/report";
import { agentClauses, type Field, type MeasuredSystem } from "./field.ts";
import { table } from "./markdown.ts";

/** The columns that show a harm, and the clause whose failed checks they count. */
export const harmColumns: Readonly<Record<string, string>> = {
  "runs when capped, filtered or refused": "stop.words",
  "runs when cut": "stop.cut",
  "sends invalid requests": "request.valid",
};
const harmNames = Object.keys(harmColumns);
const harmClauses = Object.values(harmColumns);

/** No harm, but nothing was done: a should, which is measured for some systems. */
export const leakColumn = "ends with a call in its text";
export const leakClause = "recovery.leaked";

const failedAmong = ({ checks, broken }: Finding): string => `${broken.length} of ${checks}`;

/** `2 of 9`: after how many of the replies it happened. */
export function countHarm({ findings }: ReportedSubject, clause: string): string {
  const found = findings[clause];
  if (found === undefined || found.status === "not-run") return "not run";
  return found.checks === 0 ? "–" : failedAmong(found);
}

/** `14 / 16`: the clauses of a level that are kept, and those that were asked. */
export function countKept(subject: ReportedSubject, level: ClauseText["level"]): string {
  const { kept, claimed } = countByLevel(entriesOf(subject, agentClauses))[level];
  return claimed === 0 ? "–" : `${kept} / ${claimed}`;
}

/** Whether a configuration could be judged. */
export const isJudged = ({ findings }: ReportedSubject): boolean =>
  Object.values(findings).some(({ status }) => status !== "not-run");

/** `LangChain4j (unstable)`: a name, marked if a second measurement had other results. */
const markUnstable = (name: string, differences: readonly string[]): string =>
  differences.length === 0 ? name : `${name} (unstable)`;

const differencesOf = ({ again }: MeasuredSystem): readonly string[] => again?.differences ?? [];
export const dayOf = ({ at }: MeasuredSystem): string => at.slice(0, 10);

/** A configuration, and the system that it belongs to. */
interface Row {
  readonly system: MeasuredSystem;
  readonly subject: ReportedSubject;
}

const protocolOrder = [
  "openai-responses",
  "openai-chat",
  "anthropic-messages",
  "gemini-generate-content",
];
const protocolPlace = (wire: string): number =>
  protocolOrder.includes(wire) ? protocolOrder.indexOf(wire) : protocolOrder.length;

/** A table for each protocol, with a row for each configuration that was asked. */
export function protocolTables({ systems }: Field): string {
  const rows = systems.flatMap((system) =>
    system.subjects.map((subject): Row => ({ system, subject })),
  );
  const byWire = [...Map.groupBy(rows, ({ subject }) => subject.wire)]
    .filter(([wire]) => protocolOrder.includes(wire))
    .toSorted(([one], [other]) => protocolPlace(one) - protocolPlace(other));
  return byWire.map(([wire, of]) => `### ${wire}\n\n${protocolTable(of)}`).join("\n\n");
}

const protocolTable = (rows: readonly Row[]): string =>
  table(
    [
      "configuration",
      "language",
      "version",
      "measured",
      ...harmNames,
      leakColumn,
      "must",
      "should",
    ],
    rows.map(({ system, subject }) => [
      markUnstable(
        subject.name,
        differencesOf(system).filter((line) => line.startsWith(`${subject.name}: `)),
      ),
      system.language ?? "–",
      system.version ?? "–",
      dayOf(system),
      ...[...harmClauses, leakClause].map((clause) => countHarm(subject, clause)),
      countKept(subject, "must"),
      countKept(subject, "should"),
    ]),
  );

/** `1 of 6`: in how many of the configurations that were asked it happened at least once. */
export function harmedConfigurations(subjects: readonly ReportedSubject[], clause: string): string {
  const asked = subjects.filter(({ findings }) => (findings[clause]?.checks ?? 0) > 0);
  const harmed = asked.filter(({ findings }) => findings[clause]?.status === "broken");
  const isAsked = subjects.some((subject) => isJudged(subject) && clause in subject.findings);
  if (asked.length === 0) return isAsked ? "–" : "not run";
  return `${harmed.length} of ${asked.length}`;
}

/** Fullstop, or a library of other people with Fullstop in it: `typescript/ai-sdk-fullstop`. */
const isOwn = ({ name }: MeasuredSystem): boolean => name.endsWith("fullstop");

/** Whether a system is a library of other people. */
const isOther = (system: MeasuredSystem): boolean => !isOwn(system) && system.version !== undefined;

/** The systems of other people, and then those with Fullstop. */
export const shownSystems = ({ systems }: Field): readonly MeasuredSystem[] => [
  ...systems.filter(isOther),
  ...systems.filter(isOwn),
];

/** A row for each of `shownSystems`. */
export const systemTable = (field: Field): string =>
  table(
    ["system", "language", "version", "measured", ...harmNames, leakColumn],
    shownSystems(field).map((system) => [
      markUnstable(system.title, differencesOf(system)),
      system.language ?? "–",
      system.version ?? "–",
      dayOf(system),
      ...harmCounts(system),
      harmedConfigurations(system.subjects, leakClause),
    ]),
  );
const harmCounts = ({ subjects }: MeasuredSystem): readonly string[] =>
  harmClauses.map((clause) => harmedConfigurations(subjects, clause));

/** How many systems take a call in a text as their answer, for the guide about recoveries. */
export function leakSummary({ systems }: Field): string {
  const asked = systems
    .filter(isOther)
    .filter(({ subjects }) => subjects.some(({ findings }) => findings[leakClause]?.checks));
  const ends = asked.filter(({ subjects }) =>
    subjects.some(({ findings }) => findings[leakClause]?.status === "broken"),
  );
  return `Of ${asked.length} other systems that were asked (\`${leakClause}\`), ${ends.length} take such a text as the answer in at least one of their configurations.`;
}

/** Systems that many people use. The README shows them. */
const wellKnown = [
  "ai-sdk",
  "langchain",
  "python/openai-agents",
  "python/litellm",
  "python/google-adk",
];

const shortTable = ({ systems }: Field): string =>
  table(
    ["system", "version", ...harmNames],
    [...wellKnown, "fullstop"]
      .flatMap((name) => systems.filter((system) => system.name === name))
      .map((system) => [
        `${system.title}${system.title.includes("(") ? "" : ` (${system.language ?? "–"})`}`,
        system.version ?? "–",
        ...harmCounts(system),
      ]),
  );

/** The results for the README: some sentences and a table. */
export function fieldSummary(field: Field): string {
  const others = field.systems.filter(isOther);
  const judged = others.filter(({ subjects }) => subjects.some(isJudged));
  const languages = new Set(judged.map(({ language }) => language));
  const harmed = (clause: string): number =>
    judged.filter(({ subjects }) =>
      subjects.some(({ findings }) => findings[clause]?.status === "broken"),
    ).length;
  const days = judged.map(dayOf).toSorted();
  return [
    `\`pnpm field\` judged ${judged.length} other libraries in ${[...languages].join(", ")} (${days[0] ?? "–"} to ${days.at(-1) ?? "–"}). ` +
      `${harmed("stop.words")} ran a call of a reply that was capped, filtered or refused, ` +
      `${harmed("stop.cut")} one of a reply that was cut off, and ${harmed("request.valid")} sent a request that the vendor rejects. ` +
      "Five of them, by configuration (a protocol, streamed or in one piece); the [field report](docs/field-report.md) has all:",
    shortTable(field),
  ].join("\n\n");
}
