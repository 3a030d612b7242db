import type { HttpFailure, InBandError, Violation, Wire } from "@fullstop/conformance";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type Fields, fieldsOf, hostWire, inputOf, type WireEvent } from "./host-wire.ts";

/** The reasons of `IncompleteDetails` in the types of `@openrouter/sdk`: no other one is listed. */
const { pause: _, ...nativeStops } = openaiResponsesWire.nativeStops;

/**
 * Most errors share a code, and `error_type` distinguishes them.
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
const errorTypes: Readonly<Record<string, readonly [code: string, errorType: string]>> = {
  context_length_exceeded: ["invalid_prompt", "context_length_exceeded"],
  server_error: ["server_error", "provider_unavailable"],
};

const usageOf = (usage: Fields): Fields => ({
  ...usage,
  cost: 0.00014,
  cost_details: { upstream_inference_input_cost: 0.0001, upstream_inference_output_cost: 0.00004 },
  is_byok: false,
});

function toOpenRouter(response: Fields): Fields {
  const { error, usage, ...rest } = response;
  const [code, errorType] = errorTypes[String(fieldsOf(error)["code"])] ?? [];
  return {
    ...rest,
    id: "gen-1795521600-Ab12",
    model: "anthropic/claude-opus-5",
    usage: usage === null ? null : usageOf(fieldsOf(usage)),
    error: error === null ? null : { code, message: "Provider returned error" },
    ...(errorType !== undefined && { error_type: errorType }),
  };
}

const failed = (code: string, errorType: string): string =>
  JSON.stringify({
    type: "response.failed",
    response: {
      id: "gen-1795521600-Ab12",
      object: "response",
      status: "failed",
      output: [],
      error: { code, message: "Provider returned error" },
      error_type: errorType,
    },
    sequence_number: 7,
  });

/** The three forms of an error, as documented. */
const errors: readonly InBandError[] = [
  { frame: failed("server_error", "authentication"), kind: "auth" },
  { frame: failed("server_error", "provider_overloaded"), kind: "overloaded" },
  { frame: failed("server_error", "payment_required"), kind: "billing" },
  { frame: failed("server_error", "timeout"), kind: "timeout" },
  { frame: failed("rate_limit_exceeded", "rate_limit_exceeded"), kind: "rate-limit" },
  { frame: failed("invalid_prompt", "context_length_exceeded"), kind: "context-window" },
  { frame: failed("invalid_prompt", "invalid_request"), kind: "invalid-request" },
  {
    frame: failed("image_content_policy_violation", "content_policy_violation"),
    kind: "filtered",
  },
  {
    frame: JSON.stringify({
      type: "response.error",
      error: { code: "rate_limit_exceeded", message: "Rate limit exceeded" },
    }),
    kind: "rate-limit",
  },
  {
    frame: JSON.stringify({
      type: "error",
      error: { code: "invalid_api_key", message: "Invalid API key provided" },
    }),
    kind: "auth",
  },
];

const failure = (
  status: number,
  kind: HttpFailure["kind"],
  error: Fields,
  headers?: HttpFailure["headers"],
): HttpFailure => ({
  status,
  body: JSON.stringify({ error: { code: status, ...error }, user_id: "user_1" }),
  kind,
  ...(headers && { headers }),
});
const failures: readonly HttpFailure[] = [
  failure(400, "invalid-request", {
    code: "invalid_prompt",
    message: "Invalid Responses API request",
  }),
  failure(400, "context-window", {
    message: "This endpoint's maximum context length is 200000 tokens. However, you requested more",
  }),
  failure(401, "auth", { message: "User not found." }),
  failure(402, "billing", { message: "This request requires more credits, or fewer max_tokens." }),
  failure(403, "auth", {
    message: "Request blocked: prompt injection patterns detected",
    metadata: { patterns: ["ignore all previous instructions"] },
  }),
  failure(429, "rate-limit", { message: "Provider returned error" }, { "retry-after": "12" }),
  failure(502, "server", { message: "Provider returned error" }),
  failure(503, "overloaded", { message: "No instances available" }),
];

const violation = (message: string, part: unknown): Violation => ({ message, part });

/**
 * What this API refuses and OpenAI's does not: it stores nothing, and a message of the model that
 * holds parts needs its id and its status.
 * https://openrouter.ai/docs/api/reference/responses/basic-usage (CherryHQ/cherry-studio#10477)
 */
export function openrouterViolations(body: unknown): readonly Violation[] {
  const { store, previous_response_id: previous } = fieldsOf(body);
  const strange = inputOf(body).filter(
    ({ role, content, id, status }) =>
      role === "assistant" &&
      Array.isArray(content) &&
      !(typeof id === "string" && typeof status === "string"),
  );
  return [
    ...(store === undefined || store === false ? [] : [violation("store: expected false", store)]),
    ...(previous === undefined || previous === null
      ? []
      : [violation("previous_response_id is not supported", previous)]),
    ...strange.map((item) => violation("input: id and status: Required", item)),
  ];
}

/** OpenRouter's Responses, from the server's side. */
export const openrouterWire: Wire = hostWire("openrouter", {
  response: toOpenRouter,
  nativeStops,
  after: ["[DONE]"],
  errors,
  failures,
  violations: (body) => [...openaiResponsesWire.violations(body), ...openrouterViolations(body)],
});

const endings: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
]);
/** The last event, named `response.done`, with a response that does not repeat its output. */
function asDone(event: WireEvent): WireEvent {
  if (!endings.has(event.type)) return event;
  const { output: _output, ...response } = fieldsOf(event["response"]);
  return { ...event, type: "response.done", response };
}

/** As in the example of https://openrouter.ai/docs/api/reference/responses/basic-usage */
export const openrouterDoneWire: Wire = hostWire("openrouter, response.done", {
  response: toOpenRouter,
  events: (events) => events.map(asDone),
  nativeStops,
  after: ["[DONE]"],
});
