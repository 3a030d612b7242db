import type { HttpFailure, Wire } from "@fullstop/conformance";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type Fields, fieldsOf, hostWire, type WireEvent } from "./host-wire.ts";

const { pause: _, ...nativeStops } = openaiResponsesWire.nativeStops;

/** Items of functions have no status (the types of `@ai-sdk/xai`). */
function toXaiItem(item: Fields): Fields {
  const { status, ...rest } = item;
  return item["type"] === "function_call" ? rest : { ...rest, status };
}

/** As recorded for vercel/ai#17936. */
const toXai = (response: Fields): Fields => {
  const { output, usage } = response;
  return {
    ...response,
    id: "0d7f672c-6cf5-9f88-af4b-a8b16c2c965d",
    model: "grok-4.7",
    output: Array.isArray(output) ? output.map((item) => toXaiItem(fieldsOf(item))) : output,
    usage: usage === null ? null : { ...fieldsOf(usage), num_server_side_tools_used: 0 },
  };
};

/**
 * A call comes whole, in one piece: https://docs.x.ai/docs/guides/function-calling. The suite writes
 * other inputs into the item that is done, so its arguments are not in the added item too.
 */
const withWholeCalls = (events: readonly WireEvent[]): readonly WireEvent[] =>
  events
    .filter(({ type }) => !type.startsWith("response.function_call_arguments"))
    .map((event) =>
      "item" in event ? { ...event, item: toXaiItem(fieldsOf(event["item"])) } : event,
    );

/** `error` is the sentence itself (10-X-eng/vibecad#4, yym68686/uni-api#105). */
const failure = (
  status: number,
  kind: HttpFailure["kind"],
  code: string,
  error: string,
): HttpFailure => ({ status, body: JSON.stringify({ code, error }), kind });

/** xAI's Responses, from the server's side. */
export const xaiWire: Wire = hostWire("xai", {
  response: toXai,
  events: withWholeCalls,
  nativeStops,
  after: ["[DONE]"],
  failures: [
    failure(400, "invalid-request", "400", "Argument not supported: presencePenalty"),
    failure(
      400,
      "context-window",
      "Client specified an invalid argument",
      "This model's maximum prompt length is 131072 but the request contains 140011 tokens.",
    ),
    failure(
      403,
      "auth",
      "The caller does not have permission to execute the specified operation",
      "Your team has no access to this model.",
    ),
    failure(
      429,
      "rate-limit",
      "Some resource has been exhausted",
      "Your team has reached its rate limit of requests per minute.",
    ),
  ],
});
