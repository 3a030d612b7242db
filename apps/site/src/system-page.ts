import type { Finding, ReportedCheck, ReportedSubject } from "@fullstop/conformance";
import { checkName, statuses } from "@fullstop/conformance/report";
import { reporters } from "@fullstop/conformance-cli";
import {
  agentClauses,
  driverFolder,
  evidenceFolder,
  type Field,
  fieldReport,
  type MeasuredSystem,
} from "@tooling/docs/field";
import { dayOf } from "@tooling/docs/field-tables";
import { brief, inProse, table } from "@tooling/docs/markdown";
import { systemFile } from "./documents.ts";

/** What the pages show besides the results. */
export interface SystemSources {
  readonly field: Field;
  /** The files with the traffic of verdicts that were checked by hand. */
  readonly evidence: readonly string[];
  /** Where the reply of a check is shown, from the root of the repository. */
  replyOf(protocol: string, checkId: string): string | undefined;
}

/** A system, and how its page leads to the root of the repository. */
interface Shown extends SystemSources {
  readonly system: MeasuredSystem;
  readonly up: string;
}

const joinParts = (parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join("\n\n");

const folded = (summary: string, block: string): string =>
  `<details><summary>${summary}</summary>\n\n\`\`\`\`\`text\n${block.trim()}\n\`\`\`\`\`\n\n</details>`;

/** The name of a configuration without that of its system. */
const wayOf = ({ title }: MeasuredSystem, { name }: ReportedSubject): string =>
  name.replace(`${title}, `, "");

const statusOf = (finding: Finding | undefined): Finding["status"] => finding?.status ?? "not-run";

const isBroken = ({ subjects }: MeasuredSystem, clause: string): boolean =>
  subjects.some(({ findings }) => statusOf(findings[clause]) === "broken");

/** `✔`, or after how many of the replies the clause is broken. */
const verdict = (finding: Finding | undefined): string =>
  finding?.status === "broken"
    ? `${finding.broken.length} of ${finding.checks}`
    : statuses[statusOf(finding)].mark;

function about({ system, up }: Shown): string {
  const { note = "", subjects, again } = system;
  const versions = Object.entries(subjects[0]?.versions ?? {}).map(
    ([of, version]) => `\`${of}\` ${version}`,
  );
  const differences = again?.differences.map((line) => `- ${inProse(line)}`).join("\n") ?? "";
  const second =
    differences === "" ? "had the same results." : `had other results:\n\n${differences}`;
  return joinParts([
    `Measured on ${dayOf(system)} with ${versions.join(", ")}. [The program that drives it](${up}${driverFolder(system.name)}). [How systems are measured](${up}${fieldReport}).`,
    note,
    again === undefined ? "" : `A second measurement on ${again.at.slice(0, 10)} ${second}`,
  ]);
}

function verdicts({ system, up }: Shown): string {
  const { subjects } = system;
  const findings = subjects.flatMap((subject) => Object.values(subject.findings));
  if (findings.every(({ status }) => status === "not-run"))
    return `It was not run. ${inProse(findings[0]?.reason ?? "")}`;
  const rows = agentClauses
    .filter(({ id }) => subjects.some((subject) => id in subject.findings))
    .map(({ id, level }) => [
      isBroken(system, id) ? `[\`${id}\`](#${id.replace(".", "")})` : `\`${id}\``,
      level,
      ...subjects.map((subject) => verdict(subject.findings[id])),
    ]);
  return joinParts([
    "## Verdicts",
    `✔: the clause is kept. *2 of 7*: it is broken after two of seven replies. ${statuses["not-asked"].mark}: it was not asked, because nothing about the system would follow. ${statuses["not-run"].mark}: it was not run. The report has [the sources of all clauses](${up}${fieldReport}#the-clauses).`,
    table(["clause", "level", ...subjects.map((subject) => wayOf(system, subject))], rows),
  ]);
}

function failedCheck(shown: Shown, subject: ReportedSubject, clause: string) {
  return (check: ReportedCheck): string => {
    const name = `\`${checkName(clause, check) ?? clause}\``;
    const reply = shown.replyOf(subject.wire, check.id ?? "");
    const link = reply === undefined ? name : `[${name}](${shown.up}${reply})`;
    return `- ${wayOf(shown.system, subject)}, ${link}: ${inProse(check.at)}. Expected: \`${brief(check.expected)}\`. Seen: \`${brief(check.actual)}\`.`;
  };
}

/** The failed checks of each broken clause. A check leads to the bytes that were sent. */
function failures(shown: Shown): string {
  const { system } = shown;
  const sections = agentClauses
    .filter(({ id }) => isBroken(system, id))
    .map(({ id, level, rule }) => {
      const lines = system.subjects.flatMap((subject) =>
        (subject.findings[id]?.broken ?? []).map(failedCheck(shown, subject, id)),
      );
      return `### \`${id}\`\n\nA *${level}*: ${rule}\n\n${lines.join("\n")}`;
    });
  return sections.length === 0 ? "" : joinParts(["## What failed", ...sections]);
}

function evidenceSection({ system, up, evidence }: Shown): string {
  const files = evidence.filter((text) =>
    system.subjects.some(({ name }) => text.startsWith(`${name}: `)),
  );
  if (files.length === 0) return "";
  return joinParts([
    "## Traffic that was read by hand",
    `The bytes that were sent, what ran, and the conversation in the request that followed, or the answer that was printed. [What the vendor says](${up}${evidenceFolder}/README.md) about each.`,
    ...files.map((text) => folded(text.split("\n")[0] ?? "", text)),
  ]);
}

const repeatSection = ({ system: { name, subjects } }: Shown): string => `## How to repeat it

\`pnpm field --only ${name}\` installs the program and measures it again. Then each of these commands asks one configuration. \`--only stop.words\` asks one clause, and \`--traffic DIR\` writes the bytes of each reply and the requests that followed.

\`\`\`sh
${subjects.map(({ command = "" }) => command).join("\n")}
\`\`\``;

const objectSection = ({ up }: Shown): string => `## How to object

If a verdict is wrong, open an issue of this repository. Name the check, and the page of the vendor that says otherwise, or attach what \`--traffic\` wrote. A verdict that is wrong is removed, and [what changed](${up}${fieldReport}#what-changed-since-the-last-report) says so. If a newer release behaves differently, name it, and it is measured.`;

function issueSection({ system: { at, subjects }, field: { suite } }: Shown): string {
  const clauses = agentClauses.filter(({ level }) => level === "must");
  const broken = subjects.filter(({ findings }) =>
    clauses.some(({ id }) => statusOf(findings[id]) === "broken"),
  );
  if (broken.length === 0) return "";
  const textOf = (subject: ReportedSubject): string =>
    reporters.issue({ suite, at, clauses, subjects: [subject] }).replace(/^<!--[\s\S]*?-->\s*/, "");
  return joinParts([
    "## The text of an issue",
    "What `conformance agent --reporter issue` writes about each *must* that is broken. Before you send one, run its command once more.",
    ...broken.map((subject) => folded(subject.name, textOf(subject))),
  ]);
}

const sections = [
  about,
  verdicts,
  failures,
  evidenceSection,
  repeatSection,
  objectSection,
  issueSection,
];

/** The page of a measured system. */
export function systemPage(system: MeasuredSystem, sources: SystemSources): string {
  const up = "../".repeat(systemFile(system.name).split("/").length - 1);
  const shown = { ...sources, system, up };
  return `${joinParts([`# ${system.title}`, ...sections.map((show) => show(shown))])}\n`;
}
