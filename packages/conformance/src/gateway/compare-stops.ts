import { wires } from "../wires/index.ts";
import {
  type Compare,
  canSay,
  describeTurn,
  groupOf,
  hasWordForCalls,
  isClaimed,
  isDocumentedAndFinished,
  isReadable,
  keptIf,
  looksFinished,
  severityOfFinished,
} from "./outcome.ts";

export const relabelled =
  (group: "limit" | "blocked" | "failed"): Compare =>
  (observation, route) => {
    const { played, sent, heard } = observation;
    if (played.kind !== "documented" || !isClaimed(sent)) return undefined;
    if (groupOf[sent.stopReason] !== group || !canSay(route, sent.stopReason)) return undefined;
    return keptIf(
      !looksFinished(heard.turn),
      `not finished: upstream sent ${describeTurn(sent)}`,
      observation,
      severityOfFinished(observation),
    );
  };

export const finishedLeavesFinished: Compare = (observation) => {
  if (!isDocumentedAndFinished(observation)) return undefined;
  const { sent, heard } = observation;
  const claimsOther = isClaimed(heard.turn) && heard.status < 400;
  return keptIf(
    !claimsOther,
    `finished: upstream sent ${describeTurn(sent)}`,
    observation,
    sent.calls.length > 0 ? "a finished call is lost" : "a stop reason is relabelled",
  );
};

export const wordForCalls: Compare = (observation, { front, behind }) => {
  const { sent, heard } = observation;
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  if (sent.calls.length === 0 || heard.turn.calls.length === 0) return undefined;
  const { nativeStops } = wires[behind];
  if (
    !hasWordForCalls(front) ||
    sent.native?.stop !== (nativeStops["tool-use"] ?? nativeStops.stop)
  )
    return undefined;
  const expected = wires[front].nativeStops["tool-use"] ?? "";
  const actual = heard.turn.native?.stop ?? "none";
  return { expected, actual, severity: "a stop reason is relabelled" };
};

export const mergedStops: Compare = (observation) => {
  const { played, sent, heard } = observation;
  if (played.kind !== "documented" || !isClaimed(sent) || !isClaimed(heard.turn)) return undefined;
  const [before, after] = [groupOf[sent.stopReason], groupOf[heard.turn.stopReason]];
  if (before === "failed" || after === "failed" || heard.status >= 400) return undefined;
  return keptIf(
    before === after,
    `${sent.stopReason}: upstream sent ${describeTurn(sent)}`,
    observation,
    "a stop reason is relabelled",
  );
};
