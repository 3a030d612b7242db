import type { ClauseText, Finding, ReportedSubject } from "@fullstop/conformance";
import { countByLevel, entriesOf } from "@fullstop/conformance/report";
import { agentClauses, describeRelease, type Field, type MeasuredSystem } from "./field.ts";
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

/** What a name says about its row in every table: `Rig (unstable)` if a second measurement had other results. */
export function markedName(
  name: string,
  system: Pick<MeasuredSystem, "isSampleLoop">,
  differences: readonly string[] = [],
): string {
  const marks = [
    ...(system.isSampleLoop ? ["sample loop"] : []),
    ...(differences.length > 0 ? ["unstable"] : []),
  ];
  return marks.length === 0 ? name : `${name} (${marks.join(", ")})`;
}

const differencesOf = ({ again }: MeasuredSystem): readonly string[] => again?.differences ?? [];

/** Whether a row is of the newest release that could be installed when it was measured. */
export const isNewest = ({ version, newest }: MeasuredSystem): boolean =>
  version === newest?.version;

export const versionCell = (system: MeasuredSystem): string =>
  isOther(system) ? describeRelease(system) : (system.version ?? "–");

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
      markedName(
        subject.name,
        system,
        differencesOf(system).filter((line) => line.startsWith(`${subject.name}: `)),
      ),
      system.language ?? "–",
      versionCell(system),
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

/** Who judges whom must be in the row itself. */
const ownMark = ", which was developed with this suite";

/** Whether a system is a library of other people. */
export const isOther = (system: MeasuredSystem): boolean =>
  !isOwn(system) && system.version !== undefined;

/** The systems of other people, and then those with Fullstop. */
export const shownSystems = ({ systems }: Field): readonly MeasuredSystem[] => [
  ...systems.filter(isOther),
  ...systems.filter(isOwn),
];

/** A row for each of `shownSystems`. */
export const systemTable = (field: Field): string =>
  table(
    ["system", "language", "version", "measured", ...harmNames],
    shownSystems(field).map((system) => [
      `${markedName(system.title, system, differencesOf(system))}${isOwn(system) ? ownMark : ""}`,
      system.language ?? "–",
      versionCell(system),
      dayOf(system),
      ...harmCounts(system),
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

const isHarmed = ({ subjects }: MeasuredSystem, clause: string): boolean =>
  subjects.some(({ findings }) => findings[clause]?.status === "broken");

/** A row of the README: what happened in at least one configuration, and what in none. */
interface Outcome {
  readonly text: string;
  readonly broken: readonly string[];
  readonly kept: readonly string[];
}
const [words, cut, invalid] = ["stop.words", "stop.cut", "request.valid"] as const;
const outcomes: readonly Outcome[] = [
  { text: "ran no call of such a reply", broken: [], kept: [words, cut] },
  {
    text: "ran one of a reply that was capped, filtered or refused",
    broken: [words],
    kept: [cut],
  },
  { text: "ran one of a reply that was cut off", broken: [cut], kept: [words] },
  { text: "ran one of each", broken: [words, cut], kept: [] },
  {
    text: "sent a request that breaks a published rule of the vendor",
    broken: [invalid],
    kept: [],
  },
];
const happened =
  ({ broken, kept }: Outcome) =>
  (system: MeasuredSystem): boolean =>
    broken.every((clause) => isHarmed(system, clause)) &&
    !kept.some((clause) => isHarmed(system, clause));

/** ` 1/3`: in how many of the configurations one of these clauses is broken. */
function harmedShare({ subjects }: MeasuredSystem, clauses: readonly string[]): string {
  const statuses = subjects.filter(isJudged).map(({ findings }) => ({
    isBroken: clauses.some((clause) => findings[clause]?.status === "broken"),
  }));
  const broken = statuses.filter(({ isBroken }) => isBroken).length;
  return clauses.length === 0 ? "" : ` ${broken}/${statuses.length}`;
}

/** `LangChain4j (Java) 2/8`, and its version if a newer one exists. */
function namedInRow(system: MeasuredSystem, { broken }: Outcome): string {
  const { title, language = "–" } = system;
  const named = language === "TypeScript" || title.includes("(") ? title : `${title} (${language})`;
  const older = isNewest(system) ? "" : ` ${versionCell(system)}`;
  return `${markedName(named, system)}${older}${harmedShare(system, broken)}`;
}

/** Every system that was judged, by what happened: so no row is left out by choice. */
const outcomeTable = (judged: readonly MeasuredSystem[], own: readonly MeasuredSystem[]): string =>
  table(
    ["what they did", "systems", "which, and in how many of their configurations"],
    outcomes.map((outcome) => {
      const found = judged.filter(happened(outcome));
      const ours = own.filter(happened(outcome));
      const names = [
        ...found.map((system) => namedInRow(system, outcome)),
        ...ours.map(({ title }) => title + ownMark),
      ];
      return [outcome.text, `${found.length}`, names.join(" · ") || "–"];
    }),
    3,
  );

/** The results for the README: some sentences and a table. */
export function fieldSummary(field: Field): string {
  const others = field.systems.filter(isOther);
  const judged = others.filter(({ subjects }) => subjects.some(isJudged));
  const languages = new Set(judged.map(({ language }) => language));
  const days = judged.map(dayOf).toSorted();
  return [
    `\`pnpm field\` asked ${judged.length} other libraries in ${[...languages].join(", ")} (${days[0] ?? "–"} to ${days.at(-1) ?? "–"}) what they do with replies that were capped, filtered, refused or cut off. ` +
      "The table has all of them, by what happened in at least one configuration (a protocol, streamed or in one piece). The [field report](docs/field-report.md) has their versions, each check, and [what to do if a row is wrong](docs/field-report.md#your-row-is-wrong).",
    outcomeTable(
      judged,
      field.systems.filter(({ name }) => name === "fullstop"),
    ),
  ].join("\n\n");
}
