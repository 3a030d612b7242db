import type { Turn } from "@fullstop/core";
import type { Damage } from "./damage.ts";
import { canonical } from "./json.ts";
import type { Reading, Said } from "./reading.ts";

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
export interface Broken {
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
export function judge(one: Case): Broken | undefined {
  if (one.damages.length > 0) return against(one.turn, one.reading) ?? againstTruth(one);
  return (
    agrees(one.reading, one.truth) ??
    against(one.turn, one.truth) ??
    misordered(one.turn, one.truth)
  );
}

/** Does the turn say what the reading says? */
function against(turn: Turn, reading: Reading): Broken | undefined {
  const property = [givenWrongly, withheldWrongly, countedWrongly, saidWrongly]
    .map((check) => check(turn, reading))
    .find((found) => found !== undefined);
  return property && broken(property, reading, turn);
}

type Check = (turn: Turn, reading: Reading) => Property | undefined;
const givenWrongly: Check = ({ calls }, { verdict }) =>
  verdict === "unfinished" && calls.length > 0 ? "unfinished" : undefined;
const withheldWrongly: Check = (turn, { verdict, calls }) =>
  verdict === "finished" && turn.calls.length === 0 && calls.length > 0 ? "withheld" : undefined;

const countedWrongly: Check = (turn, { sure, orderly, calls }) => {
  if (!sure) return undefined;
  const isGiven = turn.calls.length > 0;
  const listed = isGiven || orderly ? carried(turn) : undefined;
  if (listed !== undefined && listed.length !== calls.length) return "lost";
  const given = listOf(turn).toSorted();
  return isGiven &&
    listOf({ calls })
      .toSorted()
      .some((call, n) => call !== given[n])
    ? "input"
    : undefined;
};

const saidWrongly: Check = (turn, { verdict, text, reason }) => {
  const saysOther = verdict === "finished" && text !== undefined && turn.text !== text;
  return saysOther || (reason !== undefined && turn.stopReason !== reason) ? "exact" : undefined;
};

/** What a turn lists; nothing where it could not read all of the reply, for then it cannot list all either. */
function carried(turn: Turn): readonly unknown[] | undefined {
  if (turn.calls.length > 0) return turn.calls;
  if ("error" in turn && (turn.error.kind === "malformed-reply" || turn.error.kind === "cut"))
    return undefined;
  return turn.withheld;
}

/** Calls, so that the same are the same text. */
function listOf({ calls }: Pick<Turn, "calls"> | Pick<Reading, "calls">): readonly string[] {
  return calls.map((call) =>
    "input" in call ? JSON.stringify([call.name, JSON.stringify(call.input)]) : textOf(call),
  );
}
const textOf = ({ name, text, free }: Said): string =>
  JSON.stringify([name, free ? JSON.stringify({ text }) : canonical(text)]);

/** Calls of a whole reply come in the order in which they were said; damage may have changed it. */
function misordered(turn: Turn, truth: Reading): Broken | undefined {
  if (turn.calls.length === 0 || !truth.sure || listOf(turn).join() === listOf(truth).join())
    return undefined;
  return broken("exact", truth, turn);
}

/** A damaged reply that is given out says what was written, unless its wire hides that a piece was lost or changed. */
function againstTruth(one: Case): Broken | undefined {
  const { turn, truth, damages } = one;
  if (damages.length > 1) return undefined;
  return changed(one).every((n) => isHidden(one, n)) ? undefined : broken("input", truth, turn);
}

/** The places of the calls that were given out and that nobody wrote so. */
export function changed({ turn, truth }: Pick<Case, "turn" | "truth">): readonly number[] {
  const written = new Set(listOf(truth));
  return listOf(turn).flatMap((call, n) => (written.has(call) ? [] : [n]));
}

/** What is done to single events. Everything else happens to whole replies, and shows. */
const touchesPieces: Readonly<Record<Damage["kind"], boolean>> = {
  cut: false,
  word: false,
  error: false,
  drop: true,
  double: true,
  swap: true,
  alter: true,
};
function isHidden({ turn, truth, reading: { calls, sure }, damages }: Case, n: number): boolean {
  if (!damages.some(({ kind }) => touchesPieces[kind])) return truth.spills === true;
  const call = calls[n];
  if (call === undefined) return !sure;
  const isRenamed = !truth.calls.some(({ name }) => name === turn.calls[n]?.name);
  return isRenamed ? (call.namedOnce ?? true) : !call.restated;
}

/** A reader that is wrong of whole replies proves nothing about damaged ones. It may leave open what the writer knows. */
function agrees(reading: Reading, truth: Reading): Broken | undefined {
  const same =
    reading.verdict === truth.verdict || [reading.verdict, truth.verdict].includes("undecided");
  const inputs = ({ calls }: Reading): string =>
    JSON.stringify(calls.map(({ name, text, free }) => [name, free ? text : canonical(text)]));
  if (same && (!reading.sure || inputs(reading) === inputs(truth))) return undefined;
  return { property: "reference", expected: describe(truth), actual: describe(reading) };
}

const broken = (property: Property, reading: Reading, turn: Turn): Broken => ({
  property,
  expected: describe(reading),
  actual: describeTurn(turn),
});

const describe = ({ verdict, because, calls, sure, text, reason }: Reading): string =>
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
