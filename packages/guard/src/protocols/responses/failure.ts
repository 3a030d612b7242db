import type { Fields } from "@fullstop/core/adapter";
import { eventText, type Failure } from "../protocol.ts";

interface ErrorNames {
  readonly type: string;
  readonly code: string | null;
}
/**
 * Errors by status. Codex asks again after all codes of a failed response that it does not know,
 * and not after `invalid_prompt`. https://developers.openai.com/api/docs/guides/error-codes
 */
const errorNames: Readonly<Record<number, ErrorNames>> = {
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  402: { type: "insufficient_quota", code: "insufficient_quota" },
  429: { type: "rate_limit_error", code: "rate_limit_exceeded" },
  529: { type: "service_unavailable_error", code: "server_is_overloaded" },
};
const retryable: ErrorNames = { type: "server_error", code: "server_error" };
const final: ErrorNames = { type: "invalid_request_error", code: "invalid_prompt" };

const errorOf = ({ status, message, isRetryable }: Failure): ErrorNames & Fields => ({
  message,
  param: null,
  ...(errorNames[status] ?? (isRetryable ? retryable : final)),
});

export const responsesErrorBody = (failure: Failure): Fields => ({ error: errorOf(failure) });

export interface SentReply {
  /** The response that the first event held. */
  readonly response: Fields | undefined;
  /** The number of the last event that went out. */
  readonly sequence: number | undefined;
}

/** Codex shows the error of a failed response, and the SDK throws only for an event `error`. */
export function failureText(failure: Failure, { response, sequence }: SentReply): string {
  const error = errorOf(failure);
  const { code, message } = error;
  const numberAt = (offset: number): Fields =>
    sequence === undefined ? {} : { sequence_number: sequence + offset };
  const failed = {
    type: "response.failed",
    response: {
      object: "response",
      output: [],
      ...response,
      status: "failed",
      error: { code, message },
    },
    ...numberAt(1),
  };
  const event = { type: "error", code, message, param: null, ...numberAt(2), error };
  return eventText(failed, failed.type) + eventText(event, event.type);
}
