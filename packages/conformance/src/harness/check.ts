import { type ErrorKind, errorRules, type StopReason, type Turn } from "@fullstop/core";
import type { ClaimedStop } from "@fullstop/core/adapter";
import type { ReplySource } from "../reference.ts";
import type { Fixture, Reply, Violation, Wire } from "../wire.ts";
import { describeBytes, type Effort } from "./bytes.ts";
import { describeJson } from "./json.ts";
import { allRepliesFor, isReplyCall, type NamedReply } from "./scenarios.ts";

/** One thing that was tried. It passes if `actual` equals `expected`. */
export interface Check {
  /** What was tried, so that a reader can find it again. */
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
  /** What shows the fault: a reply or a request, shortened in its middle. Only on a failed check. */
  readonly bytes?: string;
  /** What `bytes` is: the reply that the subject got, or (the faulty part of) what it sent. */
  readonly bytesOf?: "reply" | "request";
  /** What shows that the reply that the subject got is sent. Only on a failed check. */
  readonly source?: ReplySource;
  /** The end of what the subject printed, threw or answered. Only on a failed check. */
  readonly output?: string;
  /** A name that stays the same between runs, and occurs once in its clause. */
  readonly id?: string;
  /**
   * How bad it is, as a noun phrase or a sentence without a full stop. `damaged`: something else
   * ran than the whole call. `ran`: a call ran as it was written. Only on a failed check.
   */
  readonly severity?: string;
  /** How it passed, if a reader would take it for more: a sentence without a full stop. */
  readonly note?: string;
  /** Why nothing about the subject follows from it. Such a check neither passes nor fails. */
  readonly notJudged?: string;
  /** What could not be asked, and why. Nothing was tried then. */
  readonly notAsked?: string;
}

export const isFinished = ({ stopReason }: Pick<Turn, "stopReason">): boolean =>
  stopReason === "stop" || stopReason === "tool-use";

/** How many failed checks of a clause are kept by default. */
export const maxKeptChecks = 20;

/** The checks in which something damaged ran come first. The others keep their order. */
export const sortByDamage = <Of extends Check>(checks: readonly Of[]): readonly Of[] => [
  ...checks.filter(({ severity }) => severity === "damaged"),
  ...checks.filter(({ severity }) => severity !== "damaged"),
];

/** Adds the reply that was sent if the check failed. */
export const withBytes = (check: Check, bytes?: Uint8Array<ArrayBuffer>): Check =>
  check.expected === check.actual || bytes === undefined
    ? check
    : { ...check, bytes: describeBytes(bytes), bytesOf: "reply" };

export interface OutlinedCall {
  readonly name: string;
  readonly input: object;
}

/** One call on one line: `read {"path":"/srv"}`. */
export const describeCall = ({ name, input }: OutlinedCall): string =>
  `${name} ${JSON.stringify(input)}`;

/** A turn on one line: its stop reason, and the calls that may run. */
export function outline({
  stopReason,
  calls,
}: {
  readonly stopReason: StopReason;
  readonly calls: readonly OutlinedCall[];
}): string {
  const runs = calls.length === 0 ? "nothing" : calls.map(describeCall).join(" and ");
  return `${stopReason}, runs ${runs}`;
}

/**
 * The kind of error that ended a turn. Some kinds of errors are stop reasons, and such a turn has
 * no `error`: then the result is `expected`, if that kind leads to the turn's stop reason.
 */
export function errorKindOf(turn: Turn, expected?: ErrorKind): string {
  if ("error" in turn) return turn.error.kind;
  return expected !== undefined && errorRules[expected].stop === turn.stopReason
    ? expected
    : "no error";
}

/** The stop reason that a native stop reason stands for. */
export function claimedStopOf(wire: Wire, native: string): ClaimedStop {
  const known = Object.entries(wire.nativeStops).find(([, other]) => other === native);
  return (known?.[0] as ClaimedStop | undefined) ?? "unknown";
}

/** The turn that a complete reply must lead to. */
export function expectedTurnOf(wire: Wire, reply: Reply): Fixture["turn"] {
  const claimed = claimedStopOf(wire, reply.stop);
  const calls = reply.blocks.filter(isReplyCall).map(({ name, input }) => ({ name, input }));
  if (claimed !== "stop" && claimed !== "tool-use") return { stopReason: claimed, calls: [] };
  if (calls.length > 0) return { stopReason: "tool-use", calls };
  return { stopReason: claimed === "stop" ? "stop" : "malformed-tool-call", calls };
}

/** The reply as the wire writes it, streamed and (if it can) not, and the turn that it must read as. */
export function exchangeOf(wire: Wire, { name, reply }: NamedReply): Fixture {
  const body = wire.whole?.(reply);
  const turn = expectedTurnOf(wire, reply);
  return { name, frames: wire.frames(reply), turn, ...(body !== undefined && { body }) };
}

export const allExchangesOf = (wire: Wire, effort: Effort): readonly Fixture[] => [
  ...allRepliesFor(wire, effort).map((one) => exchangeOf(wire, one)),
  ...(wire.fixtures ?? []),
];

export const expectedOutline = (wire: Wire, reply: Reply): string =>
  outline(expectedTurnOf(wire, reply));

/**
 * The outline that a reply without its terminal must have. If a reason under which nothing runs
 * arrived earlier, that reason is also right.
 */
export function expectedWhenCut(complete: Fixture["turn"], actual: Turn): string {
  const hasKnownReason = !isFinished(complete) && actual.stopReason === complete.stopReason;
  return outline({ stopReason: hasKnownReason ? complete.stopReason : "interrupted", calls: [] });
}

/** How sure it is that the vendor refuses a request that breaks a rule. */
export type Level = NonNullable<Violation["level"]>;

/** The rules of the level that a request breaks. `bytes` holds the parts that do. */
export function requestFinding(
  found: readonly Violation[],
  body: unknown,
  only: Level,
): Pick<Check, "expected" | "actual" | "bytes" | "bytesOf"> {
  const expected = "no violation";
  const violations = found.filter(({ level = "must" }) => level === only);
  if (violations.length === 0) return { expected, actual: expected };
  const actual = violations.map(({ message }) => message).join("\n");
  const bytes = describeJson(violations.map(({ part = body }) => part));
  return { expected, actual, bytes, bytesOf: "request" };
}
