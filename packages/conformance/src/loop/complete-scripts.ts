import { nativeStopForCalls } from "../harness/scenarios.ts";
import type { ReplyCall } from "../wire.ts";
import {
  answering,
  renderReply,
  type Script,
  type ScriptContext,
  type ScriptList,
  type ScriptNames,
} from "./script.ts";
import { onlyForCalls, unlessEmpty } from "./text-inputs.ts";

const complete = (
  context: ScriptContext,
  names: ScriptNames,
  blocks: readonly ReplyCall[],
  stop: string = nativeStopForCalls(context.wire) ?? "",
): Script => ({
  ...names,
  steps: [answering(context, () => renderReply(context, { blocks, stop }))],
  expectedCalls: blocks,
});

/** Two parallel calls of a complete reply. */
export const twoCalls: ScriptList = (context) =>
  context.wire.agent?.actsOnText
    ? []
    : [complete(context, { id: "two-calls", name: "two parallel calls" }, context.calls)];

/** A call under the stop reason of a finished text, where that is another one than for calls. */
const underTextStop: ScriptList = (context) => {
  const { wire, calls } = context;
  const { stop } = wire.nativeStops;
  if (stop === undefined || stop === nativeStopForCalls(wire) || wire.callsNeedTheirStop) return [];
  const names = { id: "text-stop", name: `one call under "${stop}"` };
  return [complete(context, names, [calls[0]], stop)];
};

/** Complete replies, whose calls must run. */
export const completeReplies: ScriptList = (context) => [
  complete(context, { id: "one-call", name: "one call" }, [context.calls[0]]),
  ...twoCalls(context),
  ...(context.forcesCall ? underTextStop(context) : []),
];

/** The same under the stop reason of a finished text, to requests that force no call. */
export const unforcedTextStops: ScriptList = onlyForCalls(
  unlessEmpty(
    (context) => (context.forcesCall ? [] : underTextStop(context)),
    ({ wire, forcesCall }) => {
      if (forcesCall)
        return "its requests force a call, and then the vendor itself sends this: stop.whole asks it";
      if (wire.callsNeedTheirStop)
        return "the vendor says to run calls only under the native stop reason for calls";
      return wire.nativeStops.stop === nativeStopForCalls(wire)
        ? "in this protocol a finished text and finished calls have the same native stop reason"
        : undefined;
    },
  ),
);
