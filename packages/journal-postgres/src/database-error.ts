import { JournalError } from "@fullstop/loop/journal";

/**
 * Classes of SQLSTATE (appendix A of PostgreSQL's manual) whose statements may succeed later.
 * 08: the connection failed; poolers answer with it too. 53: the server lacks connections, memory or
 * space.
 */
const transientClasses: ReadonlySet<string> = new Set(["08", "53"]);
/** Single states of other classes. */
const transientStates: ReadonlySet<string> = new Set([
  "25006", // read-only: the server is a standby that has not been promoted yet
  "40001", // conflict of transactions, if the role's default isolation is stricter
  "40P01", // deadlock
  "55P03", // lock_timeout
  "57014", // statement_timeout, or an administrator cancelled it
  "57P01", // an administrator ended the connection, or the server stops
  "57P02", // another process of the server crashed
  "57P03", // the server starts or stops
  "57P05", // idle_session_timeout
]);
const transientCodes: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);
/** Errors of `pg` and `pg-pool` about a connection. They have no code. */
const transientMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired|timeout exceeded when trying to connect)/;

export function isTransient(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = codeOf(thrown);
  if (code === undefined) return transientMessages.test(thrown.message);
  return (
    transientCodes.has(code) || transientStates.has(code) || transientClasses.has(code.slice(0, 2))
  );
}

const codeOf = (error: Error): string | undefined =>
  "code" in error && typeof error.code === "string" ? error.code : undefined;

/** What to do about a state, by its SQLSTATE. */
const advice: Readonly<Record<string, (schema: string) => string>> = {
  "42501": (schema) =>
    `Let a role that may create tables call \`migrate()\` once. Then grant this role USAGE on the schema ${schema} and on its sequences, and SELECT, INSERT, UPDATE and DELETE on its tables; or choose another \`schema\`.`,
  "42P01": missing,
  "3F000": missing,
  "42703": (schema) =>
    `The tables of the schema ${schema} are not those of this journal. Choose another \`schema\`.`,
};
function missing(schema: string): string {
  return `The tables of the schema ${schema} were removed while the journal was used. Create the journal again, or choose another \`schema\`.`;
}

const damagedClass = "XX";
const defaultAdvice = "Correct the cause and start the run again: what was recorded counts.";

/** An error that may pass stays as it is. */
export function explain(thrown: unknown, schema: string): unknown {
  if (!(thrown instanceof Error) || isTransient(thrown)) return thrown;
  const code = codeOf(thrown) ?? "";
  const isDamaged = code.startsWith(damagedClass);
  const remedy = isDamaged ? "Restore a backup." : (advice[code]?.(schema) ?? defaultAdvice);
  return new JournalError(
    isDamaged ? "damaged" : "unavailable",
    `PostgreSQL refused the journal: ${thrown.message}. ${remedy}`,
    { cause: thrown },
  );
}
