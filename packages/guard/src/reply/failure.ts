import { type ErrorKind, explain, ProviderError, type StopReason, type Turn } from "@fullstop/core";
import { withheldNames } from "@fullstop/core/adapter";
import type { Failure } from "../protocols/protocol.ts";

/** The status for each kind of error. Clients ask again after 429 and from 500. */
const statuses: Readonly<Record<ErrorKind, number>> = {
  auth: 401,
  billing: 402,
  "invalid-request": 400,
  "context-window": 400,
  filtered: 400,
  "malformed-tool-call": 502,
  "rate-limit": 429,
  overloaded: 529,
  server: 502,
  cancelled: 502,
  network: 502,
  timeout: 502,
  cut: 502,
  "malformed-reply": 502,
  // The same request would have the same reply.
  "too-large": 400,
  "unknown-stop": 502,
};

/** Some clients send a request again only after certain words. */
const retryWords = "Network error: ";

/** Endings that the same request would most likely have again. */
const repeatingStops: ReadonlySet<StopReason> = new Set(["length", "refusal", "content-filter"]);

/**
 * A request that may repeat side effects, or would have the same reply, invites no retry. One that is
 * not repeatable may be kept already, unless the provider itself reported an error.
 */
export function failureOf(turn: Turn, isRepeatable: boolean): Failure {
  const status = repeatingStops.has(turn.stopReason)
    ? 400
    : statuses["error" in turn ? turn.error.kind : "malformed-tool-call"];
  const isTemporary = status === 429 || status >= 500;
  const mayRepeat = turn.stopReason === "error" || (isRepeatable && turn.stopReason !== "aborted");
  const isRetryable = isTemporary && mayRepeat && !turn.sideEffects;
  const person = withoutOptions(turn, explain(withoutExcerpt(turn)).person);
  return {
    status: status >= 500 && !isRetryable ? 400 : status,
    isRetryable,
    message: isRetryable && turn.stopReason === "interrupted" ? retryWords + person : person,
  };
}

/** Sentences about options stand in backticks: the person who reads them cannot set these. */
const withoutOptions = ({ stopReason }: Turn, words: string): string =>
  stopReason === "error"
    ? words
    : words
        .split(/(?<=[.!?…]) (?=[A-Z])/)
        .filter((sentence) => !sentence.includes("`"))
        .join(" ");

/** Errors about a damaged reply quote a part of it, which may be a part of an input. */
function withoutExcerpt(turn: Turn): Turn {
  if (turn.stopReason !== "interrupted") return turn;
  const { kind, message } = turn.error;
  if (kind !== "cut" && kind !== "malformed-reply") return turn;
  const [sentence = ""] = beforeExcerpt.exec(message) ?? [];
  return { ...turn, error: new ProviderError(sentence, { kind }) };
}
/** The text up to the first colon that is not a part of code in backticks. */
const beforeExcerpt = /^(?:`[^`]*`|:(?! )|[^:`])*/;

/** The error that ends the retries of a client. Its words name neither a status nor a cause. */
export function lastFailure(turn: Turn, count: number): Failure {
  const held =
    turn.withheld.length === 0
      ? ""
      : ` The calls of ${withheldNames(turn.withheld)} were held back; nothing of them ran.`;
  return {
    status: 400,
    isRetryable: false,
    message: `The reply to this request was incomplete ${count} times, so the guard stops here.${held} Ask for less in one step, or ask again later.`,
  };
}
