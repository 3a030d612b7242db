import { parseFixtures } from "../../fixtures/corpus.ts";
import { filesIn } from "../../fixtures/files.ts";
import { tryParseJson } from "../../harness/json.ts";
import type { AgentWire, CallRepetition, OfferedTool, Wire } from "../../wire.ts";
import { openaiModels } from "../models.ts";
import {
  contentText,
  type Fields,
  fieldsOf,
  listErrors,
  listFailures,
  objectsIn,
  openaiEnv,
  readOpening,
  textsOf,
} from "../shared.ts";
import { sourcesOf } from "../sources.ts";
import { responsesClient } from "./client.ts";
import { responsesBody, responsesFrames, responsesUnclosed } from "./frames.ts";
import { responsesHeld } from "./held.ts";
import { responsesViolations } from "./refusals.ts";

const underOtherIds = (item: Fields): Fields =>
  "call_id" in item
    ? { ...item, id: `${item["id"]}_again`, call_id: `${item["call_id"]}_again` }
    : item;

function listUnderOtherIds(payload: string): string {
  const event = fieldsOf(tryParseJson(payload));
  const response = fieldsOf(event["response"]);
  const output = objectsIn(response["output"]).map(underOtherIds);
  return JSON.stringify({ ...event, response: { ...response, output } });
}

/** The final response lists the calls of the events once more. */
const responsesRepetitions: readonly CallRepetition[] = [
  {
    id: "other-ids-in-output",
    how: "which the final response lists under another id",
    repeat: ({ upToTerminal, after }) => ({
      upToTerminal: upToTerminal.map((payload, index) =>
        index === upToTerminal.length - 1 ? listUnderOtherIds(payload) : payload,
      ),
      ...(after && { after }),
    }),
  },
];

/** What a tool definition offers. A namespace groups functions and custom tools. */
function toolsIn(definition: Fields, namespace?: string): readonly OfferedTool[] {
  const { type, name, parameters, tools } = definition;
  const place = { name: String(name), ...(namespace !== undefined && { namespace }) };
  if (type === "function") return [{ ...place, inputSchema: parameters ?? {} }];
  if (type === "custom") return [{ ...place, inputSchema: {}, takesText: true }];
  if (type === "namespace") return objectsIn(tools).flatMap((tool) => toolsIn(tool, String(name)));
  return [];
}

const inputItems = (body: unknown): readonly Fields[] => objectsIn(fieldsOf(body)["input"]);

/** The definitions of a request, also those of its `additional_tools` items. */
const definitionsIn = (body: unknown): readonly Fields[] => [
  ...objectsIn(fieldsOf(body)["tools"]),
  ...inputItems(body)
    .filter(({ type }) => type === "additional_tools")
    .flatMap(({ tools }) => objectsIn(tools)),
];

const resultTypes: ReadonlySet<unknown> = new Set([
  "function_call_output",
  "custom_tool_call_output",
]);

/** How agents use the protocol. */
export const responsesAgent: AgentWire = {
  route: /\/responses$/,
  env: openaiEnv,
  streams: ({ body }) => fieldsOf(tryParseJson(body))["stream"] === true,
  tools: (body) => definitionsIn(body).flatMap((definition) => toolsIn(definition)),
  results: (body) =>
    inputItems(body)
      .filter(({ type }) => resultTypes.has(type))
      .map(({ call_id: call, output }) => ({ call: String(call), text: contentText(output) })),
  opening: (body) => {
    const { instructions, input, previous_response_id: previous, conversation } = fieldsOf(body);
    const items = typeof input === "string" ? [{ role: "user", content: input }] : inputItems(body);
    const opening = readOpening(items, typeof instructions === "string" ? instructions : "");
    const isKept = (previous ?? conversation ?? null) !== null;
    return isKept ? { system: opening.system, firstMessage: "" } : opening;
  },
  models: openaiModels,
  replyIds: (event) => {
    const { object, response, item } = fieldsOf(event);
    const whole = fieldsOf(object === "response" ? event : response);
    const ids = [whole, fieldsOf(item), ...objectsIn(whole["output"])].map(({ id }) => id);
    return textsOf(...ids);
  },
  held: responsesHeld,
};

/** The fields of an error, as they are in a body and in an event. */
const errorFields = (message: string, type: string, code: string | null = null): object => ({
  param: null,
  message,
  type,
  code,
});
const errorBody = (...error: Parameters<typeof errorFields>): string =>
  JSON.stringify({ error: errorFields(...error) });

const windowExceeded = "Your input exceeds the context window of this model.";

/** https://developers.openai.com/api/docs/guides/error-codes */
const responsesFailures = listFailures(errorBody, {
  "No tool output found for function call call_68a1.": "400 invalid-request invalid_request_error",
  [`${windowExceeded} Please adjust your input and try again.`]:
    "400 context-window invalid_request_error context_length_exceeded",
  "The encrypted content gAAA… could not be verified.":
    "400 invalid-request invalid_request_error invalid_encrypted_content",
  "Incorrect API key provided: sk-…. You can find your API key at https://platform.openai.com/account/api-keys.":
    "401 auth invalid_request_error invalid_api_key",
  "The model `gpt-nothing` does not exist or you do not have access to it.":
    "404 invalid-request invalid_request_error model_not_found",
  "Rate limit reached for gpt-5.5 on tokens per min (TPM).":
    "429 rate-limit tokens rate_limit_exceeded",
  "You exceeded your current quota, please check your plan and billing details.":
    "429 billing insufficient_quota insufficient_quota",
  "The server had an error while processing your request.": "500 server server_error",
});

/** The schema has the fields of an error at the top; the API nests them. */
const flatError = (code: string, message: string): string =>
  JSON.stringify({ type: "error", code, message, param: null, sequence_number: 7 });

const nestedError = (...error: Parameters<typeof errorFields>): string =>
  JSON.stringify({ type: "error", sequence_number: 7, error: errorFields(...error) });

const responsesErrors = listErrors({
  [flatError("server_error", "An error occurred while processing your request.")]: "server",
  [flatError("rate_limit_exceeded", "Rate limit reached.")]: "rate-limit",
  [nestedError("Too many requests.", "tokens", "rate_limit_exceeded")]: "rate-limit",
  [nestedError("An error occurred.", "server_error")]: "server",
  [errorBody("Upstream failed.", "server_error")]: "server",
  [nestedError(windowExceeded, "invalid_request_error", "context_length_exceeded")]:
    "context-window",
  [flatError("x_later_error", "Something new.")]: "server",
});

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
  endIsTyped: true,
  // Only sessions over a WebSocket are steered.
  unlistedStops: ["incomplete:steered"],
  stopsWithoutCalls: ["completed:refusal"],
  frames: responsesFrames,
  unclosed: responsesUnclosed,
  repetitions: responsesRepetitions,
  ends: true,
  whole: responsesBody,
  sources: sourcesOf("openai-responses"),
  fixtures: parseFixtures(filesIn("openai-responses"), "fixtures/openai-responses"),
  errors: responsesErrors,
  failures: responsesFailures,
  violations: responsesViolations,
  client: responsesClient,
  agent: responsesAgent,
};
