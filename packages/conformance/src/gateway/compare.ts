import type { Turn } from "@fullstop/core";
import { sameJson } from "../harness/json.ts";
import {
  changedInputs,
  lostCalls,
  lostContent,
  lostText,
  lostUsage,
  mergedCalls,
  repairedInput,
} from "./compare-content.ts";
import {
  cutLeavesCut,
  endsInTime,
  errorLeavesError,
  readableReply,
  sameRetry,
} from "./compare-faults.ts";
import { finishedLeavesFinished, mergedStops, relabelled, wordForCalls } from "./compare-stops.ts";
import type { Observation } from "./observe.ts";
import {
  type Compare,
  callLines,
  canSay,
  describeTurn,
  isForeign,
  keptIf,
  looksFinished,
} from "./outcome.ts";
import { toolNames } from "./requests.ts";
import type { GatewayClauseId } from "./rules.ts";

const variantFinished: Compare = (observation, { front, behind }) => {
  const { played, sent, heard, reachesCap } = observation;
  if (played.kind !== "variant" || !looksFinished(sent) || sent.withheld.length > 0)
    return undefined;
  if (reachesCap) return undefined;
  if (front !== behind && (sent.message?.content.some(isForeign) || callsOwnTool(sent)))
    return undefined;
  const same =
    looksFinished(heard.turn) &&
    sameJson(callLines(sent), callLines(heard.turn)) &&
    sent.text === heard.turn.text;
  return keptIf(
    same,
    `${describeTurn(sent)}, with the text ${JSON.stringify(sent.text)}`,
    observation,
    sent.calls.length > 0 ? "a finished call is lost" : "a detail is lost",
  );
};

/** Whether a call is for a tool that the protocol defines itself, such as `apply_patch_call`. */
const callsOwnTool = ({ calls }: Turn): boolean =>
  calls.some(({ name }) => !toolNames.includes(name));

const variantUnfinished: Compare = (observation, route) => {
  const { played, sent, heard } = observation;
  if (played.kind !== "variant") return undefined;
  // A stop sequence after a call has the native stop reason of a finished text in other protocols.
  if (looksFinished(sent) && (sent.withheld.length === 0 || route.front !== route.behind))
    return undefined;
  if (!canSay(route, sent.stopReason) || sent.stopReason === "unknown") return undefined;
  return keptIf(
    heard.turn.calls.length === 0,
    `runs nothing: upstream sent ${describeTurn(sent)}`,
    observation,
    "a call runs that must not",
  );
};

/** Whether the bytes are the same. */
export const isExact = ({ played, heard }: Observation): boolean =>
  Buffer.compare(played.bytes, heard.bytes) === 0;

/** How each clause about replies compares them. `exact.bytes` is counted, not compared. */
export const comparisons: Readonly<
  Record<Exclude<GatewayClauseId, `upstream.${string}` | "exact.bytes">, Compare>
> = {
  "relabel.limit": relabelled("limit"),
  "relabel.blocked": relabelled("blocked"),
  "relabel.failed": relabelled("failed"),
  "relabel.finished": finishedLeavesFinished,
  "relabel.calls": wordForCalls,
  "loss.call": lostCalls,
  "loss.text": lostText,
  "loss.error": errorLeavesError,
  "loss.usage": lostUsage,
  "loss.content": lostContent,
  "merge.calls": mergedCalls,
  "merge.stops": mergedStops,
  "merge.errors": sameRetry,
  "break.input": changedInputs,
  "break.repair": repairedInput,
  "break.reply": readableReply,
  "break.cut": cutLeavesCut,
  "break.open": endsInTime,
  "variant.finished": variantFinished,
  "variant.unfinished": variantUnfinished,
};
