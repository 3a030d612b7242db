import { type ClauseText, splitCheck, unknownClauseMessage } from "@fullstop/conformance";
import type { ExpectedFailure } from "@fullstop/conformance/report";
import { CommandError } from "./exit.ts";

/** Returns which failures of a clause are expected of a subject; `undefined` if none is. */
export type ExpectedFailures = (subject: string, clause: string) => ExpectedFailure | undefined;

/** The file, and the names that it may use. */
interface ExpectedFailuresContext {
  /** The path of the file, for messages. */
  readonly file: string;
  readonly clauses: readonly ClauseText[];
  readonly subjects: readonly string[];
}

/** A line of the file. */
interface Entry {
  readonly subjects: readonly string[];
  readonly clause: string;
  /** The id of the check; absent if the whole clause is expected to be broken. */
  readonly checkId?: string | undefined;
  readonly reason: string;
  /** The file and the line, for messages. */
  readonly at: string;
}

/** `stop.cap`, `stop.words/refusal`, or one of both after `subject:`. */
const entryPattern =
  /^(?:(?<subject>.*?):\s*)?(?<clause>[a-z]+\.[a-z0-9-]+)(?:\/(?<checkId>\S+))?$/;

/**
 * Parses a file of expected failures. A line is a clause (`stop.cap`) or a check of one
 * (`stop.words/refusal`), after the name of the subject if there are several; a reason may follow
 * `#`.
 * @throws CommandError if a line names an unknown clause or subject, or repeats another one.
 */
export function parseExpectedFailures(
  text: string,
  context: ExpectedFailuresContext,
): ExpectedFailures {
  const expected = new Map<string, ExpectedFailure>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [entry = "", ...comment] = line.split("#");
    if (entry.trim() === "") continue;
    const reason = comment.join("#").trim() || `listed in ${context.file}`;
    const at = `${context.file}, line ${index + 1}`;
    addEntry(expected, { ...parseEntry(entry.trim(), at, context), reason, at });
  }
  return (subject, clause) => expected.get(keyOf(subject, clause));
}

const keyOf = (subject: string, clause: string): string => `${subject}: ${clause}`;

function addEntry(
  expected: Map<string, ExpectedFailure>,
  { subjects, clause, checkId, reason, at }: Entry,
): void {
  for (const subject of subjects) {
    const key = keyOf(subject, clause);
    const earlier = expected.get(key) ?? {};
    if (typeof earlier === "string" || (checkId === undefined && expected.has(key)))
      throw new CommandError(
        `${at}: ${clause} is listed on another line, too. List the whole clause once, or its checks.`,
      );
    expected.set(key, checkId === undefined ? reason : { ...earlier, [checkId]: reason });
  }
}

function parseEntry(
  entry: string,
  at: string,
  { clauses, subjects }: ExpectedFailuresContext,
): Pick<Entry, "subjects" | "clause" | "checkId"> {
  const { subject, clause = entry, checkId } = entryPattern.exec(entry)?.groups ?? {};
  if (!clauses.some(({ id }) => id === clause))
    throw new CommandError(`${at}: ${unknownClauseMessage(splitCheck(clause).clause, clauses)}`);
  if (subject === undefined) return { subjects, clause, checkId };
  if (!subjects.includes(subject.trim()))
    throw new CommandError(
      `${at}: No subject is called "${subject.trim()}". The subjects are ${subjects.join(", ")}.`,
    );
  return { subjects: [subject.trim()], clause, checkId };
}

/** The expected failures of a clause if only this check is asked. */
export function pickCheck(
  expected: ExpectedFailure | undefined,
  checkId: string | undefined,
): ExpectedFailure | undefined {
  if (typeof expected !== "object" || checkId === undefined) return expected;
  const reason = expected[checkId];
  return reason === undefined ? undefined : { [checkId]: reason };
}
