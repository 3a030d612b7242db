import { parseFixtures } from "../../fixtures/corpus.ts";
import { filesIn } from "../../fixtures/files.ts";
import { tryParseJson } from "../../harness/json.ts";
import type { AgentWire, Wire } from "../../wire.ts";
import { geminiAgent } from "../gemini/agent.ts";
import { geminiModels } from "../models.ts";
import { contentText, fieldsOf, listErrors, listFailures, objectsIn, textsOf } from "../shared.ts";
import { sourcesOf } from "../sources.ts";
import { interactionsClient } from "./client.ts";
import { interactionBody, interactionFrames, interactionUnclosed } from "./frames.ts";
import { interactionsHeld } from "./held.ts";
import { interactionViolations } from "./refusals.ts";
import { inputSteps } from "./turns.ts";

/** A result is a text, a list of texts and media, or any other JSON. */
const resultText = (result: unknown): string =>
  typeof result === "string" || Array.isArray(result)
    ? contentText(result)
    : JSON.stringify(result ?? null);

/** How agents use the protocol. The SDKs are those of generateContent. */
export const interactionsAgent: AgentWire = {
  route: /\/interactions$/,
  env: geminiAgent.env,
  streams: ({ body }) => fieldsOf(tryParseJson(body))["stream"] === true,
  tools: (body) =>
    objectsIn(fieldsOf(body)["tools"])
      .filter(({ type }) => type === "function")
      .map(({ name, parameters }) => ({ name: String(name), inputSchema: parameters ?? {} })),
  results: (body) =>
    inputSteps(fieldsOf(body)["input"])
      .filter(({ type }) => type === "function_result")
      .map(({ call_id: call, result }) => ({ call: String(call), text: resultText(result) })),
  opening: (body) => {
    const { system_instruction: system, input } = fieldsOf(body);
    const isKept = interactionsHeld.previousReply(body) !== undefined;
    const first = inputSteps(input).find(({ type }) => type === "user_input");
    return {
      system: typeof system === "string" ? system : "",
      firstMessage: isKept ? "" : contentText(first?.["content"]),
    };
  },
  models: geminiModels,
  replyIds: (event) => {
    const { id, interaction_id: of, interaction } = fieldsOf(event);
    return textsOf(id, of, fieldsOf(interaction)["id"]).filter((text) => text !== "");
  },
  held: interactionsHeld,
};

const interactionError = (message: string, code: string): string =>
  JSON.stringify({ error: { code, message } });

/** https://ai.google.dev/gemini-api/docs/api-errors */
const interactionFailures = listFailures(interactionError, {
  "The value 'invalid_tool_type_xyz' is not supported for 'type' at 'tools[0]'.":
    "400 invalid-request invalid_request",
  "Unknown parameter 'strict' at 'tools[0]'.": "400 invalid-request parameter_unknown",
  "The input token count (1200321) exceeds the maximum number of tokens allowed (1048576).":
    "400 context-window invalid_request",
  "The API key is not valid.": "401 auth authentication",
  "Your prepay credit balance is depleted.": "402 billing payment_required",
  "The API key has no permission for this resource.": "403 auth permission_denied",
  "The model gemini-nothing was not found.": "404 invalid-request model_not_found",
  "You exceeded the limit of requests per minute.": "429 rate-limit rate_limit_exceeded",
  "The operation was cancelled.": "499 cancelled cancelled",
  "An unexpected error occurred.": "500 server api_error",
  "The service is temporarily overloaded.": "503 overloaded service_unavailable",
  "Deadline expired before operation could complete.": "504 timeout deadline_exceeded",
});

const inBand = (code: string, message: string): string =>
  JSON.stringify({ event_type: "error", error: { message, code } });

/** https://ai.google.dev/gemini-api/docs/api-errors, https://ai.google.dev/gemini-api/docs/streaming */
const interactionErrors = listErrors({
  [inBand("gateway_timeout", "Deadline expired before operation could complete.")]: "timeout",
  [inBand("service_unavailable", "The service is temporarily overloaded.")]: "overloaded",
  [inBand("too_many_requests", "Too many requests in a short time.")]: "rate-limit",
  [inBand("api_error", "An unexpected error occurred.")]: "server",
  [inBand("safety", "Safety violations blocked the request.")]: "filtered",
  [inBand("malformed_function_call", "The function call could not be parsed.")]:
    "malformed-tool-call",
  [inBand("x_later_error", "Something new.")]: "server",
  [JSON.stringify({ event_type: "error" })]: "server",
  [JSON.stringify({
    event_type: "interaction.status_update",
    interaction_id: "",
    status: "failed",
  })]: "server",
});

/**
 * Gemini's Interactions, from the server's side. Written from the vendor's pages of November 2026 and
 * the types of `@google/genai` 3.1.0, not from recordings of the live service.
 * https://ai.google.dev/gemini-api/docs/streaming
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
  // No public recording of these has a call.
  stopsWithoutCalls: ["failed", "requires_continuation"],
  // https://ai.google.dev/gemini-api/docs/function-calling
  callsNeedTheirStop: true,
  frames: interactionFrames,
  unclosed: interactionUnclosed,
  ends: true,
  whole: interactionBody,
  fixtures: parseFixtures(filesIn("gemini-interactions"), "fixtures/gemini-interactions"),
  errors: interactionErrors,
  failures: interactionFailures,
  violations: interactionViolations,
  sources: sourcesOf("gemini-interactions"),
  client: interactionsClient,
  agent: interactionsAgent,
};
