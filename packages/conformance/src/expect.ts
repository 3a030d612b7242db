import { type ErrorKind, errorRules, type StopReason, type Turn } from "@fullstop/core";
import type { ClaimedStop } from "@fullstop/core/adapter";
import { isCall } from "./scenarios.ts";
import type { Reply, Sample, Wire } from "./wire.ts";

interface Run {
  readonly name: string;
  readonly input: object;
}
/** A turn in one line: its reason, and what may run. */
export const outline = ({
  stopReason,
  calls,
}: {
  readonly stopReason: StopReason;
  readonly calls: readonly Run[];
}): string =>
  `${stopReason}, ${calls.length === 0 ? "runs nothing" : `runs ${calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`).join(" and ")}`}`;

/** The kind of error that ended a turn. Some kinds are reasons of their own, and the turn carries no error: `kind` is told where it is such a one. */
export function errorKind(turn: Turn, kind?: ErrorKind): string {
  if ("error" in turn) return turn.error.kind;
  return kind !== undefined && errorRules[kind].stop === turn.stopReason ? kind : "no error";
}

/** The reason that a native word stands for in a wire. */
export function claimOf(wire: Wire, native: string): ClaimedStop {
  const known = Object.entries(wire.nativeStops).find(([, word]) => word === native);
  return (known?.[0] as ClaimedStop | undefined) ?? "unknown";
}

/** What the whole of a reply must read as. */
export function wholeTurn(wire: Wire, reply: Reply): Sample["turn"] {
  const claimed = claimOf(wire, reply.stop);
  const calls = reply.blocks.filter(isCall);
  if (claimed !== "stop" && claimed !== "tool-use") return { stopReason: claimed, calls: [] };
  if (calls.length > 0) return { stopReason: "tool-use", calls };
  return { stopReason: claimed === "stop" ? "stop" : "malformed-tool-call", calls };
}

/** What a reply may read as whose terminal never came: a worse reason that was told before stands. */
export function cutTurn(whole: Sample["turn"], actual: Turn): string {
  const told =
    whole.stopReason !== "stop" &&
    whole.stopReason !== "tool-use" &&
    actual.stopReason === whole.stopReason;
  return outline({ stopReason: told ? whole.stopReason : "interrupted", calls: [] });
}
