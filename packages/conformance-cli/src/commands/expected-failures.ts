import { type ClauseText, splitProof, unknownClauseMessage } from "@fullstop/conformance";
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
  /** The subjects that it is about. */
  readonly subjects: readonly string[];
  readonly clause: string;
  /** The id of the check; absent if the whole clause is expected to be broken. */
  readonly proof?: string | undefined;
  readonly reason: string;
  /** The file and the line, for messages. */
  readonly at: string;
}

/** `stop.cap`, `stop.words/refusal`, or one of both after `subject:`. */
const entryPattern = /^(?:(?<subject>.*?):\s*)?(?<clause>[a-z]+\.[a-z0-9-]+)(?:\/(?<proof>\S+))?$/;

/**
 * Parses a file of expected failures. A line is a clause (`stop.cap`) or a proof of one
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

/** The key of a subject and a clause in the map. */
const keyOf = (subject: string, clause: string): string => `${subject}: ${clause}`;

function addEntry(
  expected: Map<string, ExpectedFailure>,
  { subjects, clause, proof, reason, at }: Entry,
): void {
  for (const subject of subjects) {
    const key = keyOf(subject, clause);
    const earlier = expected.get(key) ?? {};
    if (typeof earlier === "string" || (proof === undefined && expected.has(key)))
      throw new CommandError(
        `${at}: ${clause} is listed on another line, too. List the whole clause once, or its proofs.`,
      );
    expected.set(key, proof === undefined ? reason : { ...earlier, [proof]: reason });
  }
}

function parseEntry(
  entry: string,
  at: string,
  { clauses, subjects }: ExpectedFailuresContext,
): Pick<Entry, "subjects" | "clause" | "proof"> {
  const { subject, clause = entry, proof } = entryPattern.exec(entry)?.groups ?? {};
  if (!clauses.some(({ id }) => id === clause))
    throw new CommandError(`${at}: ${unknownClauseMessage(splitProof(clause).clause, clauses)}`);
  if (subject === undefined) return { subjects, clause, proof };
  if (!subjects.includes(subject.trim()))
    throw new CommandError(
      `${at}: No subject is called "${subject.trim()}". The subjects are ${subjects.join(", ")}.`,
    );
  return { subjects: [subject.trim()], clause, proof };
}

/** The expected failures of a clause if only this proof is asked. */
export function pickProof(
  expected: ExpectedFailure | undefined,
  proof: string | undefined,
): ExpectedFailure | undefined {
  if (typeof expected !== "object" || proof === undefined) return expected;
  const reason = expected[proof];
  return reason === undefined ? undefined : { [proof]: reason };
}
