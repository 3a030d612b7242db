import type { Turn } from "@fullstop/core";
import type { Damage } from "./damage.ts";
import { canonical } from "./json.ts";
import type { Reading, WireCall } from "./reading.ts";

/** What is asked of every reply. */
export const properties = {
  settles: "Reading a reply never throws.",
  exact: "A whole reply reads as what it says: its reason, its text, its calls in order.",
  unfinished: "No call of an unfinished reply is given out.",
  withheld: "The calls of a finished reply are given out.",
  lost: "Calls given out and calls withheld are those that the wire carried.",
  input:
    "A call is given out with the input that the wire says; it differs from what was written only where the wire neither numbers nor restates its pieces.",
  reference: "The reference reader reads a whole reply as what it says.",
} as const;
export type Property = keyof typeof properties;

/** A property that does not hold, and how. */
export interface Violation {
  readonly property: Property;
  readonly expected: string;
  readonly actual: string;
}

/** A reply that was read. */
export interface Case {
  readonly turn: Turn;
  /** What its writer meant. */
  readonly truth: Reading;
  /** What the bytes say that arrived. */
  readonly reading: Reading;
  readonly damages: readonly Damage[];
}

/** The first property that does not hold of a reply; nothing where all do. */
export function judge(one: Case): Violation | undefined {
  if (one.damages.length > 0)
    return disagreement(one.turn, one.reading) ?? disagreementWithTruth(one);
  return (
    readerMistake(one.reading, one.truth) ??
    disagreement(one.turn, one.truth) ??
    wrongOrder(one.turn, one.truth)
  );
}

/** Does the turn say what the reading says? */
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
      .some((call, n) => call !== given[n])
    ? "input"
    : undefined;
};

const differsInText: Check = (turn, { verdict, text, reason }) => {
  const saysOther = verdict === "finished" && text !== undefined && turn.text !== text;
  return saysOther || (reason !== undefined && turn.stopReason !== reason) ? "exact" : undefined;
};

/** What a turn lists; nothing where it could not read all of the reply, for then it cannot list all either. */
function listedCalls(turn: Turn): readonly unknown[] | undefined {
  if (turn.calls.length > 0) return turn.calls;
  if ("error" in turn && (turn.error.kind === "malformed-reply" || turn.error.kind === "cut"))
    return undefined;
  return turn.withheld;
}

/** Calls, so that the same are the same text. */
function callKeys({ calls }: Pick<Turn, "calls"> | Pick<Reading, "calls">): readonly string[] {
  return calls.map((call) =>
    "input" in call ? JSON.stringify([call.name, JSON.stringify(call.input)]) : callKey(call),
  );
}
const callKey = ({ name, text, free }: WireCall): string =>
  JSON.stringify([name, free ? JSON.stringify({ text }) : canonical(text)]);

/** Calls of a whole reply come in the order in which they were said; damage may have changed it. */
function wrongOrder(turn: Turn, truth: Reading): Violation | undefined {
  if (turn.calls.length === 0 || !truth.sure || callKeys(turn).join() === callKeys(truth).join())
    return undefined;
  return violation("exact", truth, turn);
}

/** A damaged reply that is given out says what was written, unless its wire hides that a piece was lost or changed. */
function disagreementWithTruth(one: Case): Violation | undefined {
  const { turn, truth, damages } = one;
  if (damages.length > 1) return undefined;
  return changedCalls(one).every((n) => isUndetectable(one, n))
    ? undefined
    : violation("input", truth, turn);
}

/** The places of the calls that were given out and that nobody wrote so. */
export function changedCalls({ turn, truth }: Pick<Case, "turn" | "truth">): readonly number[] {
  const written = new Set(callKeys(truth));
  return callKeys(turn).flatMap((call, n) => (written.has(call) ? [] : [n]));
}

/** What is done to single events. Everything else happens to whole replies, and shows. */
const changesEvents: Readonly<Record<Damage["kind"], boolean>> = {
  cut: false,
  stop: false,
  error: false,
  drop: true,
  double: true,
  swap: true,
  alter: true,
};
function isUndetectable(
  { turn, truth, reading: { calls, sure }, damages }: Case,
  n: number,
): boolean {
  if (!damages.some(({ kind }) => changesEvents[kind])) return truth.spills === true;
  const call = calls[n];
  if (call === undefined) return !sure;
  const isRenamed = !truth.calls.some(({ name }) => name === turn.calls[n]?.name);
  return isRenamed ? (call.namedOnce ?? true) : !call.restated;
}

/** A reader that is wrong of whole replies proves nothing about damaged ones. It may leave open what the writer knows. */
function readerMistake(reading: Reading, truth: Reading): Violation | undefined {
  const same =
    reading.verdict === truth.verdict || [reading.verdict, truth.verdict].includes("undecided");
  const inputs = ({ calls }: Reading): string =>
    JSON.stringify(calls.map(({ name, text, free }) => [name, free ? text : canonical(text)]));
  if (same && (!reading.sure || inputs(reading) === inputs(truth))) return undefined;
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

const describeReading = ({ verdict, because, calls, sure, text, reason }: Reading): string =>
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
