import { explain, ProviderError, type Turn } from "@fullstop/core";
import type { Outcome } from "@fullstop/loop";

type ErrorKind = ProviderError["kind"];
/** What a client may read about an error: its kind in words, or the message of the provider too. */
export type ErrorDetail = "kind" | "message";

const sentences: Readonly<Record<ErrorKind, string>> = {
  auth: "The provider did not accept the credentials of this server.",
  billing: "The credit or the quota at the provider is used up.",
  "invalid-request": "The provider refused the request.",
  "context-window": "The conversation is longer than the model takes.",
  filtered: "A filter blocked the request or the reply.",
  "malformed-tool-call": "A tool call in the reply cannot be used.",
  "rate-limit": "The provider got too many requests.",
  overloaded: "The provider has no capacity at the moment.",
  server: "The provider failed.",
  cancelled: "The provider broke off the reply.",
  network: "The connection to the provider failed.",
  timeout: "Nothing arrived from the provider for too long.",
  cut: "The reply ended before it was complete.",
  "malformed-reply": "A part of the reply cannot be read.",
  "too-large": "The reply is too large.",
  "unknown-stop": "The provider ended the reply for an unknown reason.",
};

/** An error for a client. */
export interface PublicError {
  readonly kind: ErrorKind;
  readonly message: string;
}

export const publicError = (
  { kind, message }: ProviderError,
  detail: ErrorDetail,
): PublicError => ({ kind, message: detail === "message" ? message : sentences[kind] });

export function explainTurn(turn: Turn, detail: ErrorDetail): string {
  if (!("error" in turn) || detail === "message") return explain(turn).person;
  const { kind } = turn.error;
  return explain({ ...turn, error: new ProviderError(sentences[kind], { kind }) }).person;
}

export function publicSummary(outcome: Outcome, detail: ErrorDetail): string {
  if (outcome.status !== "failed" || detail === "message") return outcome.summary;
  const { turn, error } = outcome;
  const isOfTurn = "error" in turn && turn.error === error;
  return isOfTurn ? explainTurn(turn, detail) : sentences[error.kind];
}
