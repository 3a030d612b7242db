import type { Turn } from "@fullstop/core";
import type { Damage } from "./damage.ts";
import { canonical } from "./json.ts";
import type { Reading, WireCall } from "./reading.ts";

/** The properties of each reply. */
export const properties = {
  settles: "Reading a reply does not throw.",
  exact: "An undamaged reply has its stop reason, its text, and its calls in order.",
  unfinished: "An unfinished reply issues no call.",
  withheld: "A finished reply issues its calls.",
  lost: "Issued and withheld calls are the calls of the reply.",
  input:
    "An issued call has its input from the reply. Undetected damage is possible only if the protocol neither numbers nor repeats the pieces.",
  reference: "The reference reader reads an undamaged reply correctly.",
} as const;
export type Property = keyof typeof properties;

/** A violated property, with the expected and the actual result. */
export interface Violation {
  readonly property: Property;
  readonly expected: string;
  readonly actual: string;
}

/** A reply and its readings. */
export interface Case {
  readonly turn: Turn;
  /** The meaning that the generator intended. */
  readonly truth: Reading;
  /** The meaning of the bytes that arrived. */
  readonly reading: Reading;
  readonly damages: readonly Damage[];
}

/** Returns the first violated property, or `undefined`. */
export function judge(one: Case): Violation | undefined {
  if (one.damages.length > 0)
    return disagreement(one.turn, one.reading) ?? disagreementWithTruth(one);
  return (
    readerMistake(one.reading, one.truth) ??
    disagreement(one.turn, one.truth) ??
    wrongOrder(one.turn, one.truth)
  );
}

/** Compares the turn with the reading. */
function disagreement(turn: Turn, reading: Reading): Violation | undefined {
  const property = [issuesUnfinished, withholdsFinished, differsInCalls, differsInText]
    .map((check) => check(turn, reading))
    .find((found) => found !== undefined);
  return property && violation(property, reading, turn);
}

type Check = (turn: Turn, reading: Reading) => Property | undefined;
const issuesUnfinished: Check = ({ calls }, { verdict }) =>
  verdict === "unfinished" && calls.length > 0 ? "unfinished" : undefined;
const withholdsFinished: Check = (turn, { verdict, calls }) =>
  verdict === "finished" && turn.calls.length === 0 && calls.length > 0 ? "withheld" : undefined;

const differsInCalls: Check = (turn, { sure, orderly, calls }) => {
  if (!sure) return undefined;
  const isGiven = turn.calls.length > 0;
  const listed = isGiven || orderly ? listedCalls(turn) : undefined;
  if (listed !== undefined && listed.length !== calls.length) return "lost";
  const given = callKeys(turn).toSorted();
  return isGiven &&
    callKeys({ calls })
      .toSorted()
      .some((call, position) => call !== given[position])
    ? "input"
    : undefined;
};

const differsInText: Check = (turn, { verdict, text, reason }) => {
  const saysOther = verdict === "finished" && text !== undefined && turn.text !== text;
  return saysOther || (reason !== undefined && turn.stopReason !== reason) ? "exact" : undefined;
};

/**
 * The calls that a turn lists. `undefined` if the turn could not read the whole reply, because its
 * list may be incomplete.
 */
function listedCalls(turn: Turn): readonly unknown[] | undefined {
  if (turn.calls.length > 0) return turn.calls;
  if ("error" in turn && (turn.error.kind === "malformed-reply" || turn.error.kind === "cut"))
    return undefined;
  return turn.withheld;
}

/** One text for each call. Equal calls have equal texts. */
function callKeys({ calls }: Pick<Turn, "calls"> | Pick<Reading, "calls">): readonly string[] {
  return calls.map((call) =>
    "input" in call ? JSON.stringify([call.name, JSON.stringify(call.input)]) : callKey(call),
  );
}
const callKey = ({ name, text, free }: WireCall): string =>
  JSON.stringify([name, free ? JSON.stringify({ text }) : canonical(text)]);

/** The calls of an undamaged reply keep their order. */
function wrongOrder(turn: Turn, truth: Reading): Violation | undefined {
  if (turn.calls.length === 0 || !truth.sure || callKeys(turn).join() === callKeys(truth).join())
    return undefined;
  return violation("exact", truth, turn);
}

/**
 * Issued calls of a damaged reply equal the generated ones, unless the protocol hides that a piece
 * was lost or changed.
 */
function disagreementWithTruth(one: Case): Violation | undefined {
  const { turn, truth, damages } = one;
  if (damages.length > 1) return undefined;
  return changedCalls(one).every((position) => isUndetectable(one, position))
    ? undefined
    : violation("input", truth, turn);
}

/** The positions of the issued calls that the generator did not write. */
export function changedCalls({ turn, truth }: Pick<Case, "turn" | "truth">): readonly number[] {
  const written = new Set(callKeys(truth));
  return callKeys(turn).flatMap((call, position) => (written.has(call) ? [] : [position]));
}

/** Damage that changes single events. All other damage is detectable. */
const changesEvents: Readonly<Record<Damage["kind"], boolean>> = {
  cut: false,
  byte: false,
  stop: false,
  error: false,
  "named-error": false,
  again: false,
  "call-id": true,
  drop: true,
  double: true,
  swap: true,
  alter: true,
};
function isUndetectable(
  { turn, truth, reading: { calls, sure }, damages }: Case,
  position: number,
): boolean {
  if (!damages.some(({ kind }) => changesEvents[kind])) return truth.spills === true;
  const call = calls[position];
  if (call === undefined) return !sure;
  const isRenamed = !truth.calls.some(({ name }) => name === turn.calls[position]?.name);
  return isRenamed ? (call.namedOnce ?? true) : !call.restated;
}

/** One text for the calls of a reading, in order. */
export const inputsOf = ({ calls }: Reading): string =>
  JSON.stringify(calls.map(({ name, text, free }) => [name, free ? text : canonical(text)]));

/**
 * The reference reader must be right about undamaged replies. It may leave a verdict open that the
 * generator knows.
 */
function readerMistake(reading: Reading, truth: Reading): Violation | undefined {
  const same =
    reading.verdict === truth.verdict || [reading.verdict, truth.verdict].includes("undecided");
  if (same && (!reading.sure || inputsOf(reading) === inputsOf(truth))) return undefined;
  return {
    property: "reference",
    expected: describeReading(truth),
    actual: describeReading(reading),
  };
}

const violation = (property: Property, reading: Reading, turn: Turn): Violation => ({
  property,
  expected: describeReading(reading),
  actual: describeTurn(turn),
});

export const describeReading = ({ verdict, because, calls, sure, text, reason }: Reading): string =>
  JSON.stringify({
    verdict,
    because,
    reason,
    text,
    ...(!sure && { sure }),
    calls: calls.map(({ name, id, text: input }) => ({ name, id, input })),
  });

function describeTurn({ stopReason, text, calls, withheld, ...rest }: Turn): string {
  const error = "error" in rest ? { error: rest.error.message } : {};
  const given = calls.map(({ name, id, input }) => ({ name, id, input }));
  return JSON.stringify({ stopReason, text, calls: given, withheld, ...error });
}
