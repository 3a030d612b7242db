import { nativeStopForCalls } from "../harness/scenarios.ts";
import type { ReplyCall } from "../wire.ts";
import {
  renderAnswer,
  renderReply,
  type Script,
  type ScriptList,
  type ScriptNames,
} from "./script.ts";

/** Complete replies, whose calls must run. */
export const completeReplies: ScriptList = (context) => {
  const { wire, calls } = context;
  const script = (names: ScriptNames, blocks: readonly ReplyCall[], stop: string): Script => ({
    ...names,
    steps: [(request) => renderAnswer(wire, request, renderReply(context, { blocks, stop }))],
    expectedCalls: blocks,
  });
  const forCalls = nativeStopForCalls(wire) ?? "";
  const forText = wire.nativeStops.stop;
  const underTextStop =
    forText === undefined || forText === forCalls || wire.callsNeedTheirStop
      ? []
      : [script({ id: "text-stop", name: `one call under "${forText}"` }, [calls[0]], forText)];
  return [
    script({ id: "one-call", name: "one call" }, [calls[0]], forCalls),
    ...(wire.agent?.actsOnText
      ? []
      : [script({ id: "two-calls", name: "two parallel calls" }, calls, forCalls)]),
    ...underTextStop,
  ];
};
