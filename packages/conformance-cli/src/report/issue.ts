import type { Reference } from "@fullstop/conformance";
import {
  checkName,
  describeLevels,
  type Entry,
  entriesOf,
  escapeControls,
  evidenceLabels,
  formatBytes,
  type Report,
  type ReportedCheck,
  type ReportedSubject,
  shownChecks,
  urlOf,
} from "@fullstop/conformance/report";
import { type CauseGroup, groupByCause } from "./causes.ts";

/** A block of code whose fence is longer than any in the text. */
function codeBlock(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${escapeControls(text)}\n${fence}`;
}

const inlineCode = (text: string): string => `\`${escapeControls(text).replaceAll("`", "'")}\``;

/** A text of the program in a sentence: no markup, no line feeds, no mentions. */
const plain = (text: string): string =>
  escapeControls(text)
    .replaceAll(/(?<!\s)\s*\n\s*/g, " ")
    .replaceAll(/[<>`@*_[\]]/g, (char) => (char === "@" ? "@\u200b" : `\\${char}`));

/**
 * A reference as an item of a list. A link to an issue goes through a redirect, so that the issue
 * of the other project does not show that it was mentioned.
 */
function referenceItem(reference: Reference): string {
  const url = urlOf(reference)?.replace("https://github.com/", "https://redirect.github.com/");
  const text = "url" in reference ? reference.url : reference.issue;
  const note = reference.note === undefined ? "" : `: ${plain(reference.note)}`;
  return `- ${url === undefined ? inlineCode(text) : `[${plain(text)}](${url})`}${note}`;
}

const isPage = (reference: Reference): boolean => "url" in reference;

/** A heading and a list; nothing without references. */
const referenceSection = (heading: string, references: readonly Reference[]): readonly string[] =>
  references.length === 0 ? [] : [`## ${heading}`, references.map(referenceItem).join("\n")];

const shownAs = { reply: "The reply that it got", request: "What it sent" } as const;

/** A result in a line if it is short, otherwise as a block. */
const labelled = (label: string, text: string): string =>
  text.includes("\n") || text.length > maxInlineChars || text.includes("`")
    ? `${label}:\n\n${codeBlock(text)}`
    : `${label}: ${inlineCode(text)}`;
const maxInlineChars = 200;

/** A block that a reader opens. */
const folded = (label: string, text: string): string =>
  `<details><summary>${label}</summary>\n\n${codeBlock(text)}\n\n</details>`;

function checkSection(clause: string, check: ReportedCheck): readonly string[] {
  const { at, expected, actual, bytes, bytesOf, source, output, severity } = check;
  const name = checkName(clause, check);
  const shown = bytesOf === undefined ? "The bytes" : shownAs[bytesOf];
  return [
    `### ${plain(at)}`,
    ...(name === undefined ? [] : [`The check ${inlineCode(name)}.`]),
    labelled("Expected", expected),
    labelled("Seen", actual),
    ...(severity === "damaged"
      ? ["What ran is not the call as the model wrote it: a part of it is missing or was changed."]
      : []),
    ...(bytes ? [folded(shown, formatBytes(bytes))] : []),
    ...(source
      ? [
          `Such a reply is ${evidenceLabels[source.evidence]}:`,
          source.references.map(referenceItem).join("\n"),
        ]
      : []),
    ...(output ? [folded("The end of what it printed", output)] : []),
  ];
}

/** The command that asks again, with `--only`. */
export const commandFor = (command: string, only: string): string => {
  const words = command.replace(/ --only \S+/, "");
  const option = ` --only ${only}`;
  const end = words.indexOf(" -- ");
  return end < 0 ? words + option : words.slice(0, end) + option + words.slice(end);
};

function repeatSection(subject: ReportedSubject, entry: Entry): readonly string[] {
  const [first] = entry.broken;
  if (subject.command === undefined || first === undefined) return [];
  const name = checkName(entry.clause.id, first) ?? entry.clause.id;
  return [
    "## How to repeat it",
    codeBlock(commandFor(subject.command, name), "sh"),
    introductions[subjectOf(entry)].needs,
  ];
}

/** What a text says that depends on what was asked. */
const introductions = {
  replies: {
    about: "what it does with replies that are cut, capped or broken",
    needs:
      "It needs Node and npm. The suite plays the model on the same machine: no provider is contacted, and no key is needed.",
  },
  journal: {
    about: "what it keeps of a run, and which process may write it",
    needs: "It needs Node and npm, and what the journal itself needs, such as a database.",
  },
} as const;

const subjectOf = ({ clause }: Entry): keyof typeof introductions =>
  clause.id.startsWith("journal.") ? "journal" : "replies";

const levelSentences = {
  must: "This rule is a *must* of the suite: the sources below support it.",
  should:
    "This rule is a *should* of the suite: its authors think so, and no vendor demands it. You may have decided otherwise on purpose.",
} as const;

function versionsSection({ suite, at }: Report, { wire, versions = {} }: ReportedSubject): string {
  const lines = Object.entries({ ...versions, "@fullstop/conformance": suite }).map(
    ([name, version]) => `- ${inlineCode(name)} ${plain(version)}`,
  );
  return [...lines, `- protocol: ${plain(wire)}`, `- seen on ${at.slice(0, 10)}`].join("\n");
}

/** The other clauses of the cause, and what would gate the calls. */
function causeSection({ others, about, gate }: CauseGroup): readonly string[] {
  const names = others.map(({ clause }) => inlineCode(clause.id)).join(", ");
  return [
    ...(names === "" ? [] : [`${names} failed too, probably by the same cause: ${about}.`]),
    ...(gate === undefined
      ? []
      : ["A check like this one, here as pseudocode, would gate the calls:", codeBlock(gate)]),
  ];
}

/** The text about one broken clause, and others that the same cause breaks. */
function issueText(report: Report, subject: ReportedSubject, group: CauseGroup): string {
  const { entry } = group;
  const { clause } = entry;
  const unexpected = entry.broken.filter(({ expectedFailure }) => expectedFailure === undefined);
  const shown = shownChecks({ ...entry, broken: unexpected });
  const left = unexpected.length - shown.length;
  const sections = [
    `# ${clause.id}: ${plain(clause.rule)}`,
    `Hello! I asked ${inlineCode(subject.name)} ${introductions[subjectOf(entry)].about}, with [the suite of Fullstop](https://www.npmjs.com/package/fullstop). One result may be a defect, and this is all that I saw of it.`,
    `The rule: ${plain(clause.rule)} ${levelSentences[clause.level]}`,
    "## What happened",
    ...shown.flatMap((check) => checkSection(clause.id, check)),
    ...(left > 0 ? [`${left} more of its checks had such a result.`] : []),
    ...causeSection(group),
    ...repeatSection(subject, entry),
    ...referenceSection("What the documents say", clause.references.filter(isPage)),
    ...referenceSection(
      "Public reports of the same kind, in other projects",
      clause.references.filter((reference) => !isPage(reference)),
    ),
    "## Versions",
    versionsSection(report, subject),
    `Of the clauses that were asked, it keeps ${describeLevels(entriesOf(subject, report.clauses))}.`,
  ];
  return sections.join("\n\n");
}

const beforeSending = `<!--
Before you send a text: run its command once more, add the version of the project, and attach the
program that the command starts. Delete this comment. A line of dashes stands between two texts.
-->`;

/** Markdown for the maintainers of a subject: a text for each cause of broken clauses. */
export function issue(report: Report): string {
  const texts = report.subjects.flatMap((subject) =>
    groupByCause(
      entriesOf(subject, report.clauses).filter(({ status }) => status === "broken"),
      subject.wire,
    ).map((group) => issueText(report, subject, group)),
  );
  if (texts.length === 0) return "Nothing is broken, so there is nothing to report.\n";
  return `${beforeSending}\n\n${texts.join("\n\n---\n\n")}\n`;
}
