import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding, Report, ReportedSubject, Status } from "@fullstop/conformance";
import { reporters } from "@fullstop/conformance-cli";
import { root } from "./blocks.ts";

/** What one system did, in each way that it was asked. */
export interface MeasuredSystem {
  /** The folder of its driver. */
  readonly name: string;
  readonly title: string;
  /** Of the package that stands for it. */
  readonly version?: string;
  /** What a reader must know besides. */
  readonly note?: string;
  /** When, as ISO 8601. */
  readonly at: string;
  readonly subjects: readonly ReportedSubject[];
}
/** What `pnpm field` found. */
export interface Field extends Pick<Report, "suite" | "clauses"> {
  readonly systems: readonly MeasuredSystem[];
}

/** Where it is kept, from the project's root. */
export const fieldFile = "tooling/field/results.json";
export const readField = (): Field =>
  JSON.parse(readFileSync(join(root, fieldFile), "utf8")) as Field;

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map((_, n) => (n === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");

const statusesOf = (
  subjects: readonly ReportedSubject[],
  clauses: readonly string[],
): readonly Status[] =>
  subjects.flatMap(({ findings }) => clauses.map((id) => findings[id]?.status ?? "not-run"));

/** `4 / 6`: kept, of those asked. What a protocol cannot say is not asked. */
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

/** Long inputs are told by their beginning. */
const brief = (text: string): string =>
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
  const again = command.replace(" -- ", ` --only ${broken[0]?.id ?? clauses[0]?.id} -- `);
  const said = lines.length === 0 ? ["Every clause that was asked is kept."] : lines;
  return [`**${name}** (\`${wire}\`)`, "", ...said, "", "```sh", again, "```"].join("\n");
}

const section =
  (clauses: Field["clauses"]) =>
  ({ title, name, note, at, subjects }: MeasuredSystem): string => {
    const versions = Object.entries(subjects[0]?.versions ?? {}).map((pair) => pair.join(" "));
    const about = `[Driver](packages/conformance-cli/examples/${name}). ${[...versions, at.slice(0, 10)].join(", ")}.${note === undefined ? "" : ` ${note}`}`;
    return [`## ${title}`, about, ...subjects.map((subject) => way(subject, clauses))].join("\n\n");
  };

const rules = ({ clauses }: Field): string =>
  clauses
    .map(
      ({ id, level, rule, because }) =>
        `- \`${id}\` (${level}): ${rule} Because: ${because.replaceAll("`", "'")}`,
    )
    .join("\n");

/** The report for people, as Markdown. */
export const fieldText = (field: Field): string => `# Field report

What systems that run tool calls do with the clauses of the suite, measured by \`pnpm field\`. Each is driven by a program that uses it as its documentation says, against a server on the loopback
that plays the model. A clause is a rule of this suite, not of a vendor, and its reason stands at the end; what a system does by design is told like the rest.

A cell is *kept / asked*; *not claimed*: its protocol has no such reply. In a browser, where each cell opens to what was sent: [FIELD.html](FIELD.html). As data: [results.json](${fieldFile}).

${families(field)}

One cell is asked again by the command below it, after \`pnpm field --only NAME\` has installed what it needs.

${field.systems.map(section(field.clauses)).join("\n\n")}

## The clauses

${rules(field)}
`;

/** The same as a page. */
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

/** What the README tells of each system, and the clause that says it. */
const telling: Readonly<Record<string, string>> = {
  "a capped, filtered or refused reply: nothing runs": "stop.words",
  "a reply cut off: nothing runs": "stop.cut",
  "every request is valid": "request.valid",
};

function verdict(statuses: readonly Status[]): string {
  const asked = statuses.filter((status) => status === "kept" || status === "broken");
  const kept = asked.filter((status) => status === "kept").length;
  if (asked.length === 0) return share(statuses);
  if (kept === asked.length) return "yes";
  return kept === 0 ? "no" : `${kept} of ${asked.length}`;
}

/** The comparison in the README. */
export function comparison({ clauses, systems }: Field): string {
  const ids = clauses.map(({ id }) => id);
  const rows = systems.map(({ title, version = "–", subjects }) => [
    title,
    version,
    share(statusesOf(subjects, ids)),
    ...Object.values(telling).map((id) => verdict(statusesOf(subjects, [id]))),
  ]);
  return table(["system", "version", "clauses kept / asked", ...Object.keys(telling)], rows);
}
