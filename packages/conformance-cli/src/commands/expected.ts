import { type ClauseText, unknownClauseMessage } from "@fullstop/conformance";
import { CommandError } from "./exit.ts";

/** Why a subject is expected to break a clause. */
export type ExpectedFailures = (subject: string, clause: string) => string | undefined;

interface ExpectedFailuresContext {
  /** The path, for messages. */
  readonly file: string;
  readonly clauses: readonly ClauseText[];
  readonly subjects: readonly string[];
}

/** `stop.cap`, or `subject: stop.cap`. */
const entryPattern = /^(?:(?<subject>.*):)?\s*(?<clause>[^\s:]+)$/;

/**
 * Reads a file of expected failures: a clause a line, with its subject in front where there are several, and `# why` behind it.
 * Throws `Unable` for a line that names no clause or no subject.
 */
export function parseExpectedFailures(text: string, known: ExpectedFailuresContext): ExpectedFailures {
  const listed = new Map<string, string>();
  for (const [n, line] of text.split(/\r?\n/).entries()) {
    const [said = "", ...why] = line.split("#");
    if (said.trim() === "") continue;
    const because = why.join("#").trim() || `listed in ${known.file}`;
    for (const key of parseEntry(said.trim(), `${known.file}, line ${n + 1}`, known))
      listed.set(key, because);
  }
  return (subject, clause) => listed.get(keyOf(subject, clause));
}

const keyOf = (subject: string, clause: string): string => `${subject}: ${clause}`;

function parseEntry(said: string, at: string, { clauses, subjects }: ExpectedFailuresContext): readonly string[] {
  const { subject, clause = said } = entryPattern.exec(said)?.groups ?? {};
  if (!clauses.some(({ id }) => id === clause))
    throw new CommandError(`${at}: ${unknownClauseMessage(clause, clauses)}`);
  if (subject === undefined) return subjects.map((name) => keyOf(name, clause));
  if (!subjects.includes(subject.trim()))
    throw new CommandError(
      `${at}: No subject is called "${subject.trim()}". There is ${subjects.join(", ")}.`,
    );
  return [keyOf(subject.trim(), clause)];
}
