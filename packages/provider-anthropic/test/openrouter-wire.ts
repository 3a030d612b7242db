import type { Frames, HttpFailure, InBandError, Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

const { fixtures: _, unlistedStops: __, nativeStops, ...base } = anthropicWire;
/** Those of Claude that the vendor lists. */
const { "content-filter": ___, error: ____, ...listedStops } = nativeStops;

const extraUsage = { cost: 0.0002, cost_details: {}, is_byok: false, service_tier: "standard" };
const metadata = { requested: "anthropic/claude-opus-5", region: "iad", attempt: 1 };
/** What the router adds, by event. https://openrouter.ai/docs/api/api-reference/anthropic-messages */
const additions: Readonly<Record<string, (event: Fields) => Fields>> = {
  message_start: ({ message }) => ({
    message: { ...fieldsOf(message), provider: "Google", container: null, stop_details: null },
  }),
  message_delta: ({ delta, usage }) => ({
    delta: { ...fieldsOf(delta), container: null, stop_details: null },
    usage: { ...fieldsOf(usage), ...extraUsage },
  }),
  message_stop: () => ({ openrouter_metadata: metadata }),
};
function grow(frame: string): string {
  const event = JSON.parse(frame) as Fields;
  return JSON.stringify({ ...event, ...additions[String(event["type"])]?.(event) });
}
const growAll = ({ upToTerminal }: Frames): Frames => ({ upToTerminal: upToTerminal.map(grow) });

const errorBody = (type: string, error_type: string, requestId: string | null): string =>
  JSON.stringify({
    type: "error",
    error: { type, message: "Provider returned error", error_type },
    request_id: requestId,
  });
const inBand = (type: string, errorType: string, kind: InBandError["kind"]): InBandError => ({
  frame: errorBody(type, errorType, "gen-1795521600-Ab12"),
  kind,
});
const failure = (
  status: number,
  [type, errorType]: readonly [type: string, errorType: string],
  kind: HttpFailure["kind"],
  headers?: HttpFailure["headers"],
): HttpFailure => ({
  status,
  body: errorBody(type, errorType, null),
  kind,
  ...(headers && { headers }),
});

/**
 * OpenRouter's Messages, from the server's side.
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
export const openrouterWire: Wire = {
  ...base,
  name: `${base.name}, openrouter`,
  nativeStops: listedStops,
  frames: (reply) => growAll(base.frames(reply)),
  unclosed: (reply) => growAll(base.unclosed?.(reply) ?? base.frames(reply)),
  whole(reply) {
    const message = JSON.parse(base.whole?.(reply) ?? "{}") as Fields;
    const usage = { ...fieldsOf(message["usage"]), ...extraUsage };
    return JSON.stringify({ ...message, usage, provider: "Google", openrouter_metadata: metadata });
  },
  errors: [
    inBand("overloaded_error", "provider_overloaded", "overloaded"),
    inBand("api_error", "provider_unavailable", "server"),
    inBand("timeout_error", "timeout", "timeout"),
    inBand("authentication_error", "authentication", "auth"),
    inBand("invalid_request_error", "invalid_request", "invalid-request"),
    inBand("invalid_request_error", "context_length_exceeded", "context-window"),
    inBand("invalid_request_error", "content_policy_violation", "filtered"),
    inBand("invalid_request_error", "refusal", "filtered"),
    inBand("api_error", "x_later_type", "server"),
  ],
  failures: [
    failure(400, ["invalid_request_error", "invalid_request"], "invalid-request"),
    failure(401, ["authentication_error", "authentication"], "auth"),
    failure(402, ["billing_error", "payment_required"], "billing"),
    failure(403, ["permission_error", "permission_denied"], "auth"),
    failure(404, ["not_found_error", "not_found"], "invalid-request"),
    failure(429, ["rate_limit_error", "rate_limit_exceeded"], "rate-limit", { "retry-after": "9" }),
    failure(502, ["api_error", "provider_unavailable"], "server"),
    failure(503, ["overloaded_error", "provider_overloaded"], "overloaded"),
  ],
};
