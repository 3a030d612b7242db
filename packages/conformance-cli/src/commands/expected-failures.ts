import { type ClauseText, unknownClauseMessage } from "@fullstop/conformance";
import { CommandError } from "./exit.ts";

/** Returns why a subject is expected to break a clause; `undefined` if it is not. */
export type ExpectedFailures = (subject: string, clause: string) => string | undefined;

/** The file, and the names that it may use. */
interface ExpectedFailuresContext {
  /** The path of the file, for messages. */
  readonly file: string;
  readonly clauses: readonly ClauseText[];
  readonly subjects: readonly string[];
}

/** `stop.cap`, or `subject: stop.cap`. */
const entryPattern = /^(?:(?<subject>.*):)?\s*(?<clause>[^\s:]+)$/;

/**
 * Parses a file of expected failures. A line is `stop.cap`, or `subject: stop.cap` if there are
 * several subjects; a reason may follow `#`.
 * @throws CommandError if a line names an unknown clause or subject.
 */
export function parseExpectedFailures(
  text: string,
  context: ExpectedFailuresContext,
): ExpectedFailures {
  const reasons = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [entry = "", ...comment] = line.split("#");
    if (entry.trim() === "") continue;
    const reason = comment.join("#").trim() || `listed in ${context.file}`;
    for (const key of parseEntry(entry.trim(), `${context.file}, line ${index + 1}`, context))
      reasons.set(key, reason);
  }
  return (subject, clause) => reasons.get(keyOf(subject, clause));
}

/** The key of a subject and a clause in the map of reasons. */
const keyOf = (subject: string, clause: string): string => `${subject}: ${clause}`;

/** The keys of an entry: one, or one for each subject if the entry names none. */
function parseEntry(
  entry: string,
  at: string,
  { clauses, subjects }: ExpectedFailuresContext,
): readonly string[] {
  const { subject, clause = entry } = entryPattern.exec(entry)?.groups ?? {};
  if (!clauses.some(({ id }) => id === clause))
    throw new CommandError(`${at}: ${unknownClauseMessage(clause, clauses)}`);
  if (subject === undefined) return subjects.map((name) => keyOf(name, clause));
  if (!subjects.includes(subject.trim()))
    throw new CommandError(
      `${at}: No subject is called "${subject.trim()}". The subjects are ${subjects.join(", ")}.`,
    );
  return [keyOf(subject.trim(), clause)];
}
