import { parseFixtures } from "../../fixtures/corpus.ts";
import { filesIn } from "../../fixtures/files.ts";
import type { HttpFailure, InBandError, Wire } from "../../wire.ts";
import { responsesAgent } from "./agent.ts";
import { responsesClient } from "./client.ts";
import { responsesBody, responsesFrames, responsesUnclosed } from "./frames.ts";
import { responsesViolations } from "./refusals.ts";
import { responsesRepetitions } from "./repetitions.ts";
import { responsesSources } from "./sources.ts";

interface ErrorFields {
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
}

const errorBody = (error: ErrorFields): string =>
  JSON.stringify({ error: { param: null, ...error } });

const invalidRequest = (code: string | null, message: string): string =>
  errorBody({ message, type: "invalid_request_error", code });

/** https://developers.openai.com/api/docs/guides/error-codes */
const responsesFailures: readonly HttpFailure[] = [
  {
    status: 400,
    body: invalidRequest(null, "No tool output found for function call call_68a1."),
    kind: "invalid-request",
  },
  {
    status: 400,
    body: invalidRequest(
      "context_length_exceeded",
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
    ),
    kind: "context-window",
  },
  {
    status: 400,
    body: invalidRequest(
      "invalid_encrypted_content",
      "The encrypted content gAAA… could not be verified.",
    ),
    kind: "invalid-request",
  },
  {
    status: 401,
    body: invalidRequest(
      "invalid_api_key",
      "Incorrect API key provided: sk-…. You can find your API key at https://platform.openai.com/account/api-keys.",
    ),
    kind: "auth",
  },
  {
    status: 404,
    body: invalidRequest(
      "model_not_found",
      "The model `gpt-nothing` does not exist or you do not have access to it.",
    ),
    kind: "invalid-request",
  },
  {
    status: 429,
    headers: { "retry-after": "12" },
    body: errorBody({
      message: "Rate limit reached for gpt-5.5 on tokens per min (TPM).",
      type: "tokens",
      code: "rate_limit_exceeded",
    }),
    kind: "rate-limit",
  },
  {
    status: 429,
    body: errorBody({
      message: "You exceeded your current quota, please check your plan and billing details.",
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
    kind: "billing",
  },
  {
    status: 500,
    body: errorBody({
      message: "The server had an error while processing your request.",
      type: "server_error",
      code: null,
    }),
    kind: "server",
  },
];

/** The schema has the fields of an error at the top; the API nests them. */
const flatError = (code: string, message: string): string =>
  JSON.stringify({ type: "error", code, message, param: null, sequence_number: 7 });

const nestedError = (error: ErrorFields): string =>
  JSON.stringify({ type: "error", sequence_number: 7, error: { param: null, ...error } });

const responsesErrors: readonly InBandError[] = [
  {
    frame: flatError("server_error", "An error occurred while processing your request."),
    kind: "server",
  },
  { frame: flatError("rate_limit_exceeded", "Rate limit reached."), kind: "rate-limit" },
  {
    frame: nestedError({
      message: "Too many requests.",
      type: "tokens",
      code: "rate_limit_exceeded",
    }),
    kind: "rate-limit",
  },
  {
    frame: nestedError({ message: "An error occurred.", type: "server_error", code: null }),
    kind: "server",
  },
  {
    frame: errorBody({ message: "Upstream failed.", type: "server_error", code: null }),
    kind: "server",
  },
  {
    frame: nestedError({
      message: "Your input exceeds the context window of this model.",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    }),
    kind: "context-window",
  },
  { frame: flatError("x_later_error", "Something new."), kind: "server" },
];

/**
 * OpenAI Responses, from the server's side. A finished text and finished calls have the same native
 * stop reason: `completed`.
 * https://developers.openai.com/api/reference/resources/responses/streaming-events
 */
export const openaiResponsesWire: Wire = {
  name: "openai-responses",
  nativeStops: {
    stop: "completed",
    "tool-use": "completed",
    length: "incomplete:max_output_tokens",
    "context-window": "failed:context_length_exceeded",
    pause: "incomplete:steered",
    refusal: "completed:refusal",
    "content-filter": "incomplete:content_filter",
    error: "failed",
    unknown: "incomplete",
  },
  // Only sessions over a WebSocket are steered.
  unlistedStops: ["incomplete:steered"],
  stopsWithoutCalls: ["completed:refusal"],
  frames: responsesFrames,
  unclosed: responsesUnclosed,
  repetitions: responsesRepetitions,
  ends: true,
  whole: responsesBody,
  sources: responsesSources,
  fixtures: parseFixtures(filesIn("openai-responses"), "fixtures/openai-responses"),
  errors: responsesErrors,
  failures: responsesFailures,
  violations: responsesViolations,
  client: responsesClient,
  agent: responsesAgent,
};
