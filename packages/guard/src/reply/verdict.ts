import type { ReplyReader, StopReason, Turn } from "@fullstop/core";
import { callUserFunction, type SentRequest, withheldNote } from "@fullstop/core/adapter";
import type { GuardedRequest, GuardOptions } from "../options.ts";
import type { Edit, Failure, GrantedCall } from "../protocols/protocol.ts";
import type { FetchArguments } from "../request/body.ts";
import { failureOf } from "./failure.ts";
import { noRoom } from "./no-room.ts";

export type Verdict =
  | { readonly action: "passed" }
  | { readonly action: "rewritten" | "ended"; readonly edit: Edit }
  | { readonly action: "failed"; readonly failure: Failure };
/** What becomes of a reply. `retried`: nothing of it is sent, and the request is sent again. */
export type Outcome = Verdict | RetriedReply;

export interface RetriedReply {
  readonly action: "retried";
  readonly send: FetchArguments;
  /** What the gate reads of the request, if it differs from that of the client. */
  readonly sent?: SentRequest;
  /** The reply has an ending of its own, which the client gets if the second request fails. */
  readonly kept?: KeptEnding;
}
export interface KeptEnding {
  readonly give: () => Verdict;
  /** The second reply has begun with success. */
  readonly drop: () => void;
}

export interface SeenReply {
  readonly turn: Turn;
  readonly reader: ReplyReader;
  readonly request: GuardedRequest;
  readonly options: GuardOptions;
  /** The same request may be sent again. */
  readonly isRepeatable: boolean;
  /** A part of a call came, also of one that core does not run. */
  readonly hasCalls: boolean;
  /** A call came in a form that the gate does not judge. */
  readonly hasForeignCall: boolean;
  /** All of the reply could be held. */
  readonly hasRoom: boolean;
  readonly isUnderstood: boolean;
  readonly isWhole: boolean;
  /** The connection failed, or its bytes could not be read. */
  readonly isBroken: boolean;
  readonly heldText: () => string;
  /** Whether the reply, sent as it came, gives a client exactly these calls. */
  readonly says: (calls: readonly GrantedCall[], isStrict: boolean) => boolean;
}

/** Decides what becomes of a reply: a reply that holds no call goes on, unless it broke. */
export function decide(seen: SeenReply): Verdict {
  const { turn, hasCalls, hasRoom } = seen;
  if (!hasRoom) return { action: "failed", failure: noRoom };
  if (turn.stopReason === "tool-use") return grant(seen);
  if (isFinishedWithoutCalls(seen)) return { action: "passed" };
  if (isOngoing(seen))
    return hasCalls
      ? { action: "ended", edit: { calls: [], ending: "keep" } }
      : { action: "passed" };
  if (hasCalls || turn.withheld.length > 0) return withhold(seen);
  if (isUnfinished(seen) || (seen.options.strict && isUnknownCall(seen))) return failed(seen);
  return { action: "passed" };
}

const failed = ({ turn, isRepeatable }: SeenReply): Verdict => ({
  action: "failed",
  failure: failureOf(turn, isRepeatable),
});

/** The reply arrived finished, and its parts that only some clients run are not calls of the gate. */
const isFinishedWithoutCalls = ({ turn, hasCalls, says }: SeenReply): boolean =>
  hasCalls && isFinished(turn) && turn.withheld.length === 0 && says([], false);

/** A text that may not be the whole object goes out: this doubt is only reported. */
function isFinished({ stopReason, rules = [] }: Turn): boolean {
  const reason = rules.find(({ decisive }) => decisive)?.reason;
  const isDoubtful = reason === undefined || reason === "cap-unproven";
  return stopReason === "stop" || (stopReason === "length" && isDoubtful);
}

/** A body that tells how far a reply is that is written in the background. It is requested again. */
const isOngoing = ({ turn, reader, isWhole, isBroken }: SeenReply): boolean =>
  isWhole &&
  !isBroken &&
  turn.stopReason === "interrupted" &&
  turn.native !== undefined &&
  reader.stops[turn.native.stop] === null;

/** A reply that ends but cannot be read, or contradicts itself without calls, is not unfinished. */
function isUnfinished({ turn, isUnderstood, isBroken, heldText }: SeenReply): boolean {
  if (turn.stopReason !== "interrupted") return false;
  return isBroken
    ? isUnderstood || looksLikeReply.test(heldText())
    : isUnderstood && turn.error.kind !== "malformed-reply";
}
/** An event stream, JSON, or nothing at all: not a page or another text. */
const looksLikeReply = /^\s*(?:data:|event:|id:|retry:|:|[{[]|$)/;

/** The names of calls in all protocols. */
const callNames = /"(?:tool_use|tool_calls|function_call|custom_tool_call|functionCall)"/;

/**
 * A reply that the reader does not understand, and that names a call; or one that is not finished,
 * with a call that only some clients read.
 */
export const isUnknownCall = (seen: SeenReply): boolean =>
  seen.isUnderstood
    ? seen.hasForeignCall && !endsWell.has(seen.turn.stopReason)
    : callNames.test(seen.heldText());
const endsWell: ReadonlySet<StopReason> = new Set<StopReason>(["stop", "tool-use", "pause"]);

function grant({ turn, options, says }: SeenReply): Verdict {
  const calls = grantedCalls(turn);
  const isStrict = options.normalizeCalls === true;
  return says(calls, isStrict)
    ? { action: "passed" }
    : { action: "rewritten", edit: { calls, ending: "calls" } };
}

/** The calls of a turn. An id that the provider did not give is new in every conversation. */
const grantedCalls = ({ message }: Turn): readonly GrantedCall[] =>
  (message?.content ?? []).flatMap((block) =>
    block.type === "tool-call"
      ? [{ ...block, id: block.nativeId === block.id ? block.id : newCallId() }]
      : [],
  );
const newCallId = (): string => `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;

function withhold(seen: SeenReply): Verdict {
  const { turn, request, options } = seen;
  if (!isNoted(turn) || options.withheld === "fail" || request.isStateful) return failed(seen);
  const isRefusal = turn.stopReason === "refusal";
  const edit = {
    calls: [],
    note: noteOf(turn, options),
    ending: endingOf(seen),
    isRefusal,
  };
  return { action: "ended", edit };
}

/** The provider's own one if no client runs calls under it, else the one that all clients know. */
function endingOf({ turn, reader }: SeenReply): Edit["ending"] {
  const { native } = turn;
  if (native === undefined) return "length";
  const key = [`${native.stop}:${String(native.detail)}`, native.stop].find((name) =>
    Object.hasOwn(reader.stops, name),
  );
  const claim = key === undefined ? undefined : reader.stops[key];
  const stop = typeof claim === "object" ? claim?.stop : claim;
  return stop === undefined || stop === "tool-use" || stop === "stop" ? "length" : "keep";
}

/** A reply that did not arrive becomes an error instead of an ending with a note. */
type NotNoted = "tool-use" | "interrupted" | "error" | "aborted";
type NotedTurn = Exclude<Turn, { readonly stopReason: NotNoted }>;
const notNoted: ReadonlySet<StopReason> = new Set<NotNoted>([
  "tool-use",
  "interrupted",
  "error",
  "aborted",
]);
/** Whether the reply arrived, so that it can end with a note. */
const isNoted = (turn: Turn): turn is NotedTurn => !notNoted.has(turn.stopReason);

/** It begins on a line of its own, because clients join texts. */
function noteOf(turn: NotedTurn, { note }: Pick<GuardOptions, "note">): string | undefined {
  if (note === false) return undefined;
  const standard = withheldNote(turn);
  const text =
    note === undefined
      ? standard
      : callUserFunction("`note` of the guard", () => note(turn), standard);
  return text !== undefined && turn.text !== "" ? `\n\n${text}` : text;
}
