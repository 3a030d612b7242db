import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding, Report, ReportedSubject, Status } from "@fullstop/conformance";
import { describeReferences } from "@fullstop/conformance/report";
import { reporters } from "@fullstop/conformance-cli";
import { root } from "./blocks.ts";

/** What one system did, in each configuration. */
export interface MeasuredSystem {
  /** It says where its driver is: `driverFolder`. */
  readonly name: string;
  readonly title: string;
  /** Absent in results that are older than this field. */
  readonly language?: string;
  /** The version of its package. */
  readonly version?: string;
  /** What else a reader must know. */
  readonly note?: string;
  /** When, as ISO 8601. */
  readonly at: string;
  readonly subjects: readonly ReportedSubject[];
}
/** The results of `pnpm field`. */
export interface Field extends Pick<Report, "suite" | "clauses"> {
  readonly systems: readonly MeasuredSystem[];
}

/** The results as data, from the root of the repository. */
export const fieldFile = "tooling/field/results.json";
/** The results as a document. */
export const fieldReport = "docs/field-report.md";
/** The results as a page. Git ignores it. */
export const fieldPageFile = "dist/field.html";
export const readField = (): Field =>
  JSON.parse(readFileSync(join(root, fieldFile), "utf8")) as Field;

/**
 * The folder of a driver, from the root of the repository: an example of the suite, or
 * `<language>/<name>` in the folder of the drivers.
 */
export const driverFolder = (name: string): string =>
  name.includes("/")
    ? `tooling/field/drivers/${name}`
    : `packages/conformance-cli/examples/${name}`;

const tableRow = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
export const table = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [
    tableRow(head),
    tableRow(head.map((_, column) => (column === 0 ? "---" : "---:"))),
    ...rows.map(tableRow),
  ].join("\n");

const statusesOf = (
  subjects: readonly ReportedSubject[],
  clauses: readonly string[],
): readonly Status[] =>
  subjects.flatMap(({ findings }) => clauses.map((id) => findings[id]?.status ?? "not-run"));

/** `4 / 6`: clauses kept / asked. A clause is not asked if the protocol has no such reply. */
function share(statuses: readonly Status[]): string {
  const kept = statuses.filter((status) => status === "kept").length;
  const broken = statuses.filter((status) => status === "broken").length;
  if (kept + broken > 0) return `${kept} / ${kept + broken}`;
  return statuses.includes("not-run") ? "not run" : "–";
}

const familyOf = (id: string): string => id.slice(0, id.indexOf("."));

const counted: readonly Status[] = ["kept", "broken", "not-claimed", "not-run"];

function families({ clauses, systems }: Field): string {
  const ids = clauses.map(({ id }) => id);
  const each = [...Map.groupBy(ids, familyOf)];
  const rows = systems
    .flatMap(({ subjects }) => subjects)
    .map((subject) => {
      const statuses = statusesOf([subject], ids);
      const counts = counted.map((status) => statuses.filter((one) => one === status).length);
      return [subject.name, ...each.map(([, of]) => share(statusesOf([subject], of))), ...counts];
    });
  return table(
    [
      "asked",
      ...each.map(([family]) => family),
      ...counted.map((status) => status.replace("-", " ")),
    ],
    rows,
  );
}

/** A text in one line of Markdown, with long inputs shortened. */
export const brief = (text: string): string =>
  text
    .replaceAll("abcdefghij".repeat(3), "…")
    .replace(/\s*\n\s*/g, "; ")
    .replaceAll("`", "'");

function brokenLine({ id, level }: Field["clauses"][number], { broken }: Finding): string {
  const [proof] = broken;
  const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : "";
  return `- \`${id}\`${level === "should" ? " (should)" : ""}: ${brief(proof?.at ?? "")}: \`${brief(proof?.actual ?? "")}\`${more}`;
}

function way(
  { name, wire, findings, command = "" }: ReportedSubject,
  clauses: Field["clauses"],
): string {
  const broken = clauses.flatMap((clause) => {
    const found = findings[clause.id];
    return found?.status === "broken" ? [{ id: clause.id, line: brokenLine(clause, found) }] : [];
  });
  const reason = Object.values(findings).find(({ status }) => status === "not-run")?.reason;
  const lines =
    reason === undefined ? broken.map(({ line }) => line) : [`Not run. ${brief(reason)}`];
  const repeat = command.replace(" -- ", ` --only ${broken[0]?.id ?? clauses[0]?.id} -- `);
  const results = lines.length === 0 ? ["Every clause that was asked is kept."] : lines;
  return [`**${name}** (\`${wire}\`)`, "", ...results, "", "```sh", repeat, "```"].join("\n");
}

const systemSection =
  (clauses: Field["clauses"]) =>
  ({ title, name, note, at, subjects }: MeasuredSystem): string => {
    const versions = Object.entries(subjects[0]?.versions ?? {}).map((pair) => pair.join(" "));
    const about = `[Driver](../${driverFolder(name)}). ${[...versions, at.slice(0, 10)].join(", ")}.${note === undefined ? "" : ` ${note}`}`;
    return [`## ${title}`, about, ...subjects.map((subject) => way(subject, clauses))].join("\n\n");
  };

const rules = ({ clauses }: Field): string =>
  clauses
    .map(
      ({ id, level, rule, references }) =>
        `- \`${id}\` (${level}): ${rule} Because: ${describeReferences(references).replaceAll("`", "'")}`,
    )
    .join("\n");

/** The report as Markdown, for the folder `docs`, with the sections of other measurements. */
export const fieldText = (field: Field, sections: readonly string[] = []): string => `# Field report

What other systems do with broken replies, measured by \`pnpm field\`. Each system is driven by a small program that uses it as its documentation says and has one tool, which writes a file.
A server on the loopback interface plays the model. Each system is asked in several protocols, or streamed and in one piece.

The first three columns are single clauses: in how many of these configurations the system keeps it. The last column counts all clauses, of all configurations.
The clauses are rules of this repository's suite and not of a vendor, so *broken* can also mean *by design*. Their sources are [at the end](#the-clauses). Fullstop was developed with this suite: its own row shows only that it still passes.

${comparison(field)}

Every result can be repeated: \`pnpm field --only NAME\` installs and asks one system, and the command below each configuration asks one clause again.
\`pnpm field --html\` writes a page to \`${fieldPageFile}\`, in which each cell opens to the requests and the bytes. As data: [results.json](../${fieldFile}).

${sections.map((section) => `${section}\n\n`).join("")}## By family

A cell is *kept / asked*. *not claimed*: the protocol has no such reply.

${families(field)}

${field.systems.map(systemSection(field.clauses)).join("\n\n")}

## The clauses

${rules(field)}
`;

/** The results as an HTML page. */
export function fieldPage({ suite, clauses, systems }: Field): string {
  const at =
    systems
      .map((system) => system.at)
      .sort()
      .at(-1) ?? "";
  return reporters.html({
    suite,
    at,
    clauses,
    subjects: systems.flatMap(({ subjects }) => subjects),
  });
}

/** The columns of the comparison, and the clause that each shows. */
const columns: Readonly<Record<string, string>> = {
  "runs nothing of a capped, filtered, refused or paused reply": "stop.words",
  "runs nothing of a reply that was cut off": "stop.cut",
  "every request is valid": "request.valid",
};

/** `yes`, `no`, or `1 of 3`: in how many configurations a clause is kept. */
function configurationsKept(statuses: readonly Status[]): string {
  const asked = statuses.filter((status) => status === "kept" || status === "broken");
  const kept = asked.filter((status) => status === "kept").length;
  if (asked.length === 0) return share(statuses);
  if (kept === asked.length) return "yes";
  return kept === 0 ? "no" : `${kept} of ${asked.length}`;
}

/** A row for each system. */
export function comparison({ clauses, systems }: Field): string {
  const ids = clauses.map(({ id }) => id);
  const rows = systems.map(({ title, language = "–", version = "–", subjects }) => [
    title,
    language,
    version,
    ...Object.values(columns).map((id) => configurationsKept(statusesOf(subjects, [id]))),
    share(statusesOf(subjects, ids)),
  ]);
  return table(
    ["system", "language", "version", ...Object.keys(columns), "clauses kept / asked"],
    rows,
  );
}

/** The results in two sentences, for the README. */
export function fieldSummary({ systems }: Field): string {
  const libraries = systems.filter(
    ({ name, version }) => name !== "fullstop" && version !== undefined,
  );
  const breaking = (id: string): number =>
    libraries.filter(({ subjects }) => statusesOf(subjects, [id]).includes("broken")).length;
  return (
    `\`pnpm field\` asked ${libraries.length} other libraries: ` +
    `${breaking("stop.words")} ran a tool call of a reply that was capped, filtered, refused or paused, ` +
    `and ${breaking("stop.cut")} ran one of a reply that was cut off, each in at least one configuration.`
  );
}
