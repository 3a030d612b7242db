import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportedSubject, Status } from "@fullstop/conformance";
import { describeReferences, type Entry, entriesOf } from "@fullstop/conformance/report";
import { reporters } from "@fullstop/conformance-cli";
import { root } from "./blocks.ts";
import {
  agentClauses,
  changesFile,
  correctionsFile,
  driverFolder,
  evidenceFolder,
  type Field,
  fieldFile,
  fieldPageFile,
  type MeasuredSystem,
} from "./field.ts";
import { isJudged, leakSummary, markedName, protocolTables, systemTable } from "./field-tables.ts";
import { brief, inProse, table } from "./markdown.ts";

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

const counted: Readonly<Record<string, readonly Status[]>> = {
  kept: ["kept"],
  broken: ["broken"],
  "not asked": ["not-asked", "not-claimed"],
  "not run": ["not-run"],
};

function families({ systems }: Field): string {
  const ids = agentClauses.map(({ id }) => id);
  const each = [...Map.groupBy(ids, familyOf)];
  const rows = systems
    .flatMap((system) => system.subjects.map((subject) => ({ system, subject })))
    .map(({ system, subject }) => {
      const statuses = statusesOf([subject], ids);
      const counts = Object.values(counted).map(
        (some) => statuses.filter((status) => some.includes(status)).length,
      );
      return [
        markedName(subject.name, system),
        ...each.map(([, of]) => share(statusesOf([subject], of))),
        ...counts,
      ];
    });
  return table(["asked", ...each.map(([family]) => family), ...Object.keys(counted)], rows);
}

function brokenLine({ clause: { id, level }, broken }: Entry): string {
  const [failed] = broken;
  const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : "";
  return `- \`${id}\`${level === "should" ? " (should)" : ""}: ${inProse(failed?.at ?? "")}: \`${brief(failed?.actual ?? "")}\`${more}`;
}

function way(subject: ReportedSubject): string {
  const { name, wire, findings, command = "" } = subject;
  const broken = entriesOf(subject, agentClauses).filter(({ status }) => status === "broken");
  const reason = Object.values(findings).find(({ status }) => status === "not-run")?.reason;
  const lines = reason === undefined ? broken.map(brokenLine) : [`Not run. ${brief(reason)}`];
  const { id: first } = broken[0]?.clause ?? agentClauses[0] ?? { id: "" };
  const repeat = command.replace(" -- ", ` --only ${first} -- `);
  const results = lines.length === 0 ? ["Every clause that was asked is kept."] : lines;
  return [`**${name}** (\`${wire}\`)`, "", ...results, "", "```sh", repeat, "```"].join("\n");
}

function systemSection({ title, name, note, at, subjects }: MeasuredSystem): string {
  const versions = Object.entries(subjects[0]?.versions ?? {}).map((pair) => pair.join(" "));
  const about = `[Driver](../${driverFolder(name)}). ${[...versions, at.slice(0, 10)].join(", ")}.${note === undefined ? "" : ` ${note}`}`;
  return [`## ${title}`, about, ...subjects.map(way)].join("\n\n");
}

const rules = agentClauses
  .map(
    ({ id, level, rule, references }) =>
      `- \`${id}\` (${level}): ${rule} Because: ${describeReferences(references).replaceAll("`", "'")}`,
  )
  .join("\n");

/** How many systems and configurations were asked, and what a second measurement found. */
function describeExtent({ systems }: Field): string {
  const asked = systems.filter(({ subjects }) => subjects.some(isJudged));
  const languages = new Set(asked.flatMap(({ language }) => language ?? []));
  const configurations = asked.flatMap(({ subjects }) => subjects.filter(isJudged)).length;
  return `${asked.length} systems in ${[...languages].join(", ")}; ${configurations} configurations. ${describeAgain(asked)}`;
}

function describeAgain(asked: readonly MeasuredSystem[]): string {
  const twice = asked.filter(({ again }) => again !== undefined);
  const differences = twice.flatMap(({ again }) => again?.differences ?? []);
  const head = `${twice.length} of these systems were asked twice (\`pnpm field --again\`).`;
  if (twice.length === 0) return "Each system was asked once.";
  if (differences.length === 0) return `${head} All checks had the same results.`;
  return `${head} These checks had different results:\n\n${differences.map((line) => `- ${brief(line)}`).join("\n")}`;
}

const describeUnstable = ({ systems }: Field): string =>
  systems.some(({ again }) => (again?.differences.length ?? 0) > 0)
    ? "- *unstable*: a second measurement had other results, which are listed above.\n"
    : "";

const readNotes = (file: string): string => readFileSync(join(root, file), "utf8").trim();
/** The notes about what changed, written by hand. */
const readChanges = (): string => readNotes(changesFile);
/** Whose rows were wrong, written by hand. */
const readCorrections = (): string => readNotes(correctionsFile);
const issueForm = "../.github/ISSUE_TEMPLATE/field-report.yml";

/** How many verdicts have a file with their traffic. */
const countEvidence = (): number =>
  readdirSync(join(root, evidenceFolder)).filter((name) => name.endsWith(".txt")).length;

/** The parts of the report that a page with other means shows in another way. */
interface FieldParts {
  readonly tables: string;
  readonly systems: string;
}
const partsOf = (field: Field): FieldParts => ({
  tables: `### All systems

A cell says in how many configurations this happened at least once.

${systemTable(field)}

${protocolTables(field)}`,
  systems: field.systems.map(systemSection).join("\n\n"),
});

/** The report as Markdown, for the folder `docs`, with the sections of other measurements. */
export const fieldText = (
  field: Field,
  sections: readonly string[] = [],
  { tables, systems }: FieldParts = partsOf(field),
): string => `# Field report

What other systems do with broken replies, measured by \`pnpm field\`. Each system is driven by a small program that uses it as its documentation says and has one tool, which writes a file.
A server on the loopback interface plays the model. Each system is asked in the protocols that it speaks, and where it has both, streamed and in one piece.

${describeExtent(field)}

## Your row is wrong?

Open an issue with the form [*A row of the field report*](${issueForm}).
Attach the bytes: write \`--traffic FOLDER\` before the \`--\` of the command below the configuration. The folder then has each reply, what ran, and what was sent next. Name the version, and the page that says what is right. A mistake in the [driver](../tooling/field/drivers/README.md) and a newer release are reasons, too.
A maintainer answers in the issue. If the row is wrong, it is taken out with the change that answers the issue, and the system is measured again in the next measurement. The correction is named here:

${readCorrections()}

## What was measured

- *runs when capped, filtered or refused*: how many of these replies it runs a call of (\`stop.words\`).
- *runs when cut*: how many of the replies whose connection ends early (\`stop.cut\`). A reply in one piece is not asked (–): a body of JSON that is cut cannot be parsed.
- *sends invalid requests*: after how many of all replies it sends a request that breaks a published rule of the vendor (\`request.valid\`). No vendor was asked.
- *ends with a call in its text*, a *should*: after how many finished texts that end in a call of its tool it takes the markup as the answer. ${leakSummary(field)}
- *sample loop*: the library has no loop, and the program repeats what its documents show. How such a loop recovers is not asked.
- *version*: a row is of the newest release that could be installed when it was measured, unless it names a newer one.
- *must*, *should*: clauses kept / asked. A *must* follows from a vendor's page or from a public defect. A *should* is the opinion of this project. Their sources are [at the end](#the-clauses).
${describeUnstable(field)}
${countEvidence()} broken checks were read by hand, with their traffic and the vendor's page: [what was compared](../${evidenceFolder}/README.md). The other verdicts were not.

Fullstop was developed with this suite: the rows with Fullstop show only that it still passes.

${tables}

Every result can be repeated: \`pnpm field --only NAME\` installs and asks one system, and the command below each configuration asks one clause again.
\`pnpm field --html\` writes a page to \`${fieldPageFile}\`, in which each cell opens to its checks. As data: [results.json](../${fieldFile}).

## What changed since the last report

${readChanges()}

${sections.map((section) => `${section}\n\n`).join("")}## By family

A cell is *kept / asked*. *not asked*: nothing about the system would follow, for example because its protocol has no such reply.

${families(field)}

${systems}

## The clauses

${rules}
`;

/** The results as an HTML page. */
export function fieldPage({ suite, systems }: Field): string {
  const at =
    systems
      .map((system) => system.at)
      .sort()
      .at(-1) ?? "";
  return reporters.html({
    suite,
    at,
    clauses: agentClauses,
    subjects: systems.flatMap(({ subjects }) => subjects),
  });
}
