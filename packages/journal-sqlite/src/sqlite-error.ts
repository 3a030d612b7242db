import { JournalError, type JournalErrorKind } from "@fullstop/loop/journal";

/** Primary result codes. https://www.sqlite.org/rescode.html */
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notDatabase: 26,
} as const;

/** The primary result code. Undefined if the error is not one of SQLite, or if it has no code. */
function codeOf(thrown: unknown): number | undefined {
  if (typeof thrown !== "object" || thrown === null || !("errcode" in thrown)) return undefined;
  // An extended code has the primary one in its lowest byte.
  return typeof thrown.errcode === "number" ? thrown.errcode & 0xff : undefined;
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Deno reports no code. */
export function isBusy(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (code === undefined) return /^database (table )?is locked/.test(messageOf(thrown));
  return code === codes.busy || code === codes.locked || code === codes.protocol;
}

interface Explanation {
  readonly kind: JournalErrorKind;
  readonly advice: string;
}
const restore: Explanation = { kind: "damaged", advice: "Restore a copy, or use another file." };
const explanations: ReadonlyMap<number | undefined, Explanation> = new Map([
  [codes.corrupt, restore],
  [codes.notDatabase, restore],
  [codes.readOnly, unavailable("The file and its folder must be writable for this process.")],
  [codes.cannotOpen, unavailable("Its folder must exist and be writable for this process.")],
  [codes.full, unavailable("Free some space and start again: what was recorded counts.")],
  [codes.busy, unavailable("Another process has locked it, and may be paused.")],
]);
const unknownCause = unavailable("Correct the cause and start again: what was recorded counts.");
function unavailable(advice: string): Explanation {
  return { kind: "unavailable", advice };
}

export const isTransient = (thrown: unknown): boolean =>
  thrown instanceof JournalError && isBusy(thrown.cause);

/** An error of SQLite, in the words of a journal. Other errors stay as they are. */
export function explainError(thrown: unknown, path: string): unknown {
  const isOfSqlite =
    thrown instanceof Error && "code" in thrown && thrown.code === "ERR_SQLITE_ERROR";
  if (!isOfSqlite) return thrown;
  const { kind, advice } = explanations.get(codeOf(thrown)) ?? unknownCause;
  return new JournalError(
    kind,
    `The journal ${path} cannot be used: ${messageOf(thrown)}. ${advice}`,
    { cause: thrown },
  );
}
