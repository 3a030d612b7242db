import type { Finding, ReportedSubject } from "@fullstop/conformance";
import type { Field, MeasuredSystem } from "./field.ts";
import { table } from "./markdown.ts";

/** The columns that show a harm, and the clause whose failed checks they count. */
const harmColumns: Readonly<Record<string, string>> = {
  "runs when capped, filtered or refused": "stop.words",
  "runs when cut": "stop.cut",
  "sends invalid requests": "request.valid",
};
const harmClauses = Object.values(harmColumns);

const failedAmong = ({ checks, broken }: Finding): string => `${broken.length} of ${checks}`;

/** `2 of 9`: after how many of the replies it happened. */
function countHarm({ findings }: ReportedSubject, clause: string): string {
  const found = findings[clause];
  if (found === undefined || found.status === "not-run") return "not run";
  return found.checks === 0 ? "–" : failedAmong(found);
}

/** `14 / 16`: the clauses of a level that are kept, and those that were asked. */
export function countKept(
  { findings }: ReportedSubject,
  clauses: Field["clauses"],
  level: "must" | "should",
): string {
  const statuses = clauses
    .filter((clause) => clause.level === level)
    .map(({ id }) => findings[id]?.status);
  const kept = statuses.filter((status) => status === "kept").length;
  const asked = kept + statuses.filter((status) => status === "broken").length;
  return asked === 0 ? "–" : `${kept} / ${asked}`;
}

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
export function protocolTables({ clauses, systems }: Field): string {
  const rows = systems.flatMap((system) =>
    system.subjects.map((subject): Row => ({ system, subject })),
  );
  const byWire = [...Map.groupBy(rows, ({ subject }) => subject.wire)]
    .filter(([wire]) => protocolOrder.includes(wire))
    .toSorted(([one], [other]) => protocolPlace(one) - protocolPlace(other));
  return byWire.map(([wire, of]) => `### ${wire}\n\n${protocolTable(of, clauses)}`).join("\n\n");
}

const protocolTable = (rows: readonly Row[], clauses: Field["clauses"]): string =>
  table(
    ["configuration", "language", "version", ...Object.keys(harmColumns), "must", "should"],
    rows.map(({ system: { language = "–", version = "–" }, subject }) => [
      subject.name,
      language,
      version,
      ...harmClauses.map((clause) => countHarm(subject, clause)),
      countKept(subject, clauses, "must"),
      countKept(subject, clauses, "should"),
    ]),
  );

/** `no`, `yes`, or `in 1 of 3`: in how many configurations it happened at least once. */
function harmedConfigurations(subjects: readonly ReportedSubject[], clause: string): string {
  const asked = subjects.filter(({ findings }) => (findings[clause]?.checks ?? 0) > 0);
  const harmed = asked.filter(({ findings }) => findings[clause]?.status === "broken");
  if (asked.length === 0) return "not run";
  if (harmed.length === 0) return "no";
  return harmed.length === asked.length ? "yes" : `in ${harmed.length} of ${asked.length}`;
}

/** Whether a system is a library of other people. */
const isOther = ({ name, version }: MeasuredSystem): boolean =>
  name !== "fullstop" && version !== undefined;

/** A row for each system of other people, and the last one for Fullstop. */
export function systemTable({ systems }: Field): string {
  const shown = [...systems.filter(isOther), ...systems.filter(({ name }) => name === "fullstop")];
  return table(
    ["system", "language", "version", ...Object.keys(harmColumns)],
    shown.map(({ title, language = "–", version = "–", subjects }) => [
      title,
      language,
      version,
      ...harmClauses.map((clause) => harmedConfigurations(subjects, clause)),
    ]),
  );
}

/** The results for the README: two sentences and a table. */
export function fieldSummary(field: Field): string {
  const others = field.systems.filter(isOther);
  const languages = new Set(others.map(({ language }) => language));
  const harmed = (clause: string): number =>
    others.filter(({ subjects }) =>
      subjects.some(({ findings }) => findings[clause]?.status === "broken"),
    ).length;
  return [
    `\`pnpm field\` asked ${others.length} other libraries in ${[...languages].join(", ")}. Of these, ` +
      `${harmed("stop.words")} ran a tool call of a reply that was capped, filtered or refused, ` +
      `${harmed("stop.cut")} ran one of a reply that was cut off, ` +
      `and ${harmed("request.valid")} sent a request that the vendor rejects, each in at least one configuration.`,
    systemTable(field),
  ].join("\n\n");
}
