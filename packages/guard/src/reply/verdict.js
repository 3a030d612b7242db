import { explain } from "@fullstop/core";
import { failureOf } from "./failure.ts";
/** Decides what becomes of a reply: a reply that holds no call goes on, unless it broke. */
export function decide(seen) {
  const { turn, hasCalls } = seen;
  if (turn.stopReason === "tool-use") return grant(seen);
  if (hasCalls || turn.withheld.length > 0) return withhold(seen);
  if (isUnfinished(seen) || (seen.options.strict && isUnknownCall(seen)))
    return { action: "failed", failure: failureOf(turn) };
  return { action: "passed" };
}
/** The reader knows the reply and did not see its end. It may contradict itself without calls. */
const isUnfinished = ({ turn, isUnderstood, isBroken }) =>
  turn.stopReason === "interrupted" &&
  isUnderstood &&
  (isBroken || turn.error.kind !== "malformed-reply");
/** The names of calls in all protocols. */
const callNames = /"(?:tool_use|tool_calls|function_call|custom_tool_call|functionCall)"/;
/** A reply that the reader does not understand, and that names a call. */
export const isUnknownCall = ({ isUnderstood, text }) => !isUnderstood && callNames.test(text());
function grant({ turn, options, says }) {
  const calls = grantedCalls(turn);
  const isStrict = options.normalizeCalls === true;
  return says(calls, isStrict)
    ? { action: "passed" }
    : { action: "rewritten", edit: { calls, ending: "calls" } };
}
/** The calls of a turn. An id that the provider did not give is new in every conversation. */
const grantedCalls = ({ message }) =>
  (message?.content ?? []).flatMap((block) =>
    block.type === "tool-call"
      ? [{ ...block, id: block.nativeId === block.id ? block.id : newCallId() }]
      : [],
  );
const newCallId = () => `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
function withhold(seen) {
  const { turn, request, options } = seen;
  if (
    turn.stopReason === "interrupted" ||
    turn.stopReason === "error" ||
    turn.stopReason === "aborted"
  )
    return { action: "failed", failure: failureOf(turn) };
  if (options.withheld === "fail" || request.isStateful)
    return { action: "failed", failure: failureOf(turn) };
  return { action: "ended", edit: { calls: [], note: noteOf(seen), ending: endingOf(seen) } };
}
function noteOf({ turn, options: { note } }) {
  if (note === false) return undefined;
  return note === undefined ? `[${explain(turn).person}]` : note(turn);
}
/**
 * A provider's own stop reason is kept if no client runs calls under it. Otherwise the output limit
 * is the only one that all clients know.
 */
function endingOf({ turn, reader }) {
  const { native } = turn;
  if (native === undefined) return "length";
  const claim = Object.hasOwn(reader.stops, native.stop) ? reader.stops[native.stop] : undefined;
  const stop = typeof claim === "object" ? claim?.stop : claim;
  return stop === undefined || stop === "tool-use" || stop === "stop" ? "length" : "keep";
}
