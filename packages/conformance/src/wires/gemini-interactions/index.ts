import { parseFixtures } from "../../fixtures/corpus.ts";
import { filesIn } from "../../fixtures/files.ts";
import type { HttpFailure, InBandError, Wire } from "../../wire.ts";
import { interactionsClient } from "./client.ts";
import { interactionBody, interactionFrames, interactionUnclosed } from "./frames.ts";
import { interactionViolations } from "./refusals.ts";

const interactionError = (code: string, message: string): string =>
  JSON.stringify({ error: { code, message } });

/** https://ai.google.dev/gemini-api/docs/api-errors */
const interactionFailures: readonly HttpFailure[] = [
  {
    status: 400,
    body: interactionError(
      "invalid_request",
      "The value 'invalid_tool_type_xyz' is not supported for 'type' at 'tools[0]'.",
    ),
    kind: "invalid-request",
  },
  {
    status: 400,
    body: interactionError("parameter_unknown", "Unknown parameter 'strict' at 'tools[0]'."),
    kind: "invalid-request",
  },
  {
    status: 400,
    body: interactionError(
      "invalid_request",
      "The input token count (1200321) exceeds the maximum number of tokens allowed (1048576).",
    ),
    kind: "context-window",
  },
  {
    status: 401,
    body: interactionError("authentication", "The API key is not valid."),
    kind: "auth",
  },
  {
    status: 402,
    body: interactionError("payment_required", "Your prepay credit balance is depleted."),
    kind: "billing",
  },
  {
    status: 403,
    body: interactionError("permission_denied", "The API key has no permission for this resource."),
    kind: "auth",
  },
  {
    status: 404,
    body: interactionError("model_not_found", "The model gemini-nothing was not found."),
    kind: "invalid-request",
  },
  {
    status: 429,
    headers: { "retry-after": "12" },
    body: interactionError("rate_limit_exceeded", "You exceeded the limit of requests per minute."),
    kind: "rate-limit",
  },
  {
    status: 499,
    body: interactionError("cancelled", "The operation was cancelled."),
    kind: "cancelled",
  },
  {
    status: 500,
    body: interactionError("api_error", "An unexpected error occurred."),
    kind: "server",
  },
  {
    status: 503,
    body: interactionError("service_unavailable", "The service is temporarily overloaded."),
    kind: "overloaded",
  },
  {
    status: 504,
    body: interactionError(
      "deadline_exceeded",
      "Deadline expired before operation could complete.",
    ),
    kind: "timeout",
  },
];

const inBand = (code: string, message: string): string =>
  JSON.stringify({ event_type: "error", error: { message, code } });

/** https://ai.google.dev/gemini-api/docs/api-errors, https://ai.google.dev/gemini-api/docs/streaming */
const interactionErrors: readonly InBandError[] = [
  {
    frame: inBand("gateway_timeout", "Deadline expired before operation could complete."),
    kind: "timeout",
  },
  {
    frame: inBand("service_unavailable", "The service is temporarily overloaded."),
    kind: "overloaded",
  },
  { frame: inBand("too_many_requests", "Too many requests in a short time."), kind: "rate-limit" },
  { frame: inBand("api_error", "An unexpected error occurred."), kind: "server" },
  { frame: inBand("safety", "Safety violations blocked the request."), kind: "filtered" },
  {
    frame: inBand("malformed_function_call", "The function call could not be parsed."),
    kind: "malformed-tool-call",
  },
  { frame: inBand("x_later_error", "Something new."), kind: "server" },
];

/**
 * Gemini's Interactions, from the server's side, without a history that the API keeps. Written from
 * the vendor's pages of November 2026 and the types of `@google/genai` 3.1.0, not from recordings of
 * the live service. https://ai.google.dev/gemini-api/docs/streaming
 */
export const interactionsWire: Wire = {
  name: "gemini-interactions",
  nativeStops: {
    stop: "completed",
    "tool-use": "requires_action",
    length: "incomplete",
    pause: "requires_continuation",
    error: "failed",
  },
  frames: interactionFrames,
  unclosed: interactionUnclosed,
  ends: true,
  whole: interactionBody,
  fixtures: parseFixtures(filesIn("gemini-interactions"), "fixtures/gemini-interactions"),
  errors: interactionErrors,
  failures: interactionFailures,
  violations: interactionViolations,
  client: interactionsClient,
};
