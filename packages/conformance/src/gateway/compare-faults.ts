import { type ErrorKind, errorRules, type Turn } from "@fullstop/core";
import {
  type Compare,
  type Comparison,
  describeTurn,
  isClaimed,
  isDocumentedAndFinished,
  keptIf,
  looksFinished,
  severityOfFinished,
} from "./outcome.ts";

export const readableReply: Compare = (observation) => {
  if (!isDocumentedAndFinished(observation)) return undefined;
  const { sent, heard } = observation;
  const unread = !looksFinished(heard.turn) && !(isClaimed(heard.turn) && heard.status < 400);
  return keptIf(
    !unread,
    `a reply that can be read: upstream sent ${describeTurn(sent)}`,
    observation,
    sent.calls.length > 0 ? "a finished call is lost" : "a reply or a request is broken",
  );
};

export const cutLeavesCut: Compare = (observation, { front, behind }) => {
  const { played, sent, heard } = observation;
  if (played.kind !== "cut" || looksFinished(sent)) return undefined;
  // A gateway that translates has passed the stop reason on before the connection ended.
  if (front !== behind && sent.native !== undefined) return undefined;
  return keptIf(
    !looksFinished(heard.turn),
    `not finished: ${played.name}`,
    observation,
    severityOfFinished(observation),
  );
};

export const endsInTime: Compare = (observation) => {
  const { heard } = observation;
  return keptIf(
    heard.timedOut === undefined,
    "an end in time",
    observation,
    "a reply or a request is broken",
  );
};

export const errorLeavesError: Compare = (observation, { front, behind }) => {
  const { played, sent, heard } = observation;
  if (played.kind !== "error" && played.kind !== "status") return undefined;
  // A gateway that translates has passed the stop reason on before the error.
  if (front !== behind && played.kind === "error" && sent.native !== undefined) return undefined;
  return keptIf(
    !looksFinished(heard.turn),
    `an error: ${played.name}`,
    observation,
    severityOfFinished(observation),
  );
};

const kindOf = (turn: Turn): ErrorKind | undefined =>
  "error" in turn ? turn.error.kind : undefined;

export const sameRetry: Compare = (observation): Comparison | undefined => {
  const { played, sent, heard } = observation;
  const [before, after] = [kindOf(sent), kindOf(heard.turn)];
  if (played.kind !== "status" || before === undefined || after === undefined) return undefined;
  // A client that looks at the status alone sees no difference.
  if (heard.status === played.status) return undefined;
  const say = (kind: ErrorKind): string =>
    errorRules[kind].retry ? "a later attempt may succeed" : "a later attempt fails as well";
  const same = errorRules[before].retry === errorRules[after].retry;
  return {
    expected: `${say(before)} (${before})`,
    actual: same
      ? `${say(before)} (${before})`
      : `${say(after)} (${after}, status ${heard.status})`,
    severity: "a detail is lost",
  };
};
