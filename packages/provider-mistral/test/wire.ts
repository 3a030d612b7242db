import type { Frames, HttpFailure, Reply, ReplyCall, Wire } from "@fullstop/conformance";
import { call, chunk, completion, type Fields, frames as framesOf, role } from "./chunks.ts";
import { fixtures } from "./fixtures.ts";
import { violations } from "./refusals.ts";

const callsIn = ({ blocks }: Reply): readonly ReplyCall[] =>
  blocks.filter((block) => "name" in block);
const textsIn = ({ blocks }: Reply): readonly string[] =>
  blocks.flatMap((block) => ("text" in block ? [block.text] : []));

/** Text in pieces, each call in one piece; the usage comes with the finish reason. */
function frames(reply: Reply): Frames {
  const texts = textsIn(reply).flatMap((text) =>
    [text.slice(0, 3), text.slice(3)].map((content) => chunk({ content })),
  );
  const calls = callsIn(reply).map((one, index) =>
    chunk({ content: "", tool_calls: [call(one, { index })] }),
  );
  return framesOf([role, ...texts, ...calls, chunk({ content: "" }, reply)]);
}

function whole(reply: Reply): string {
  const calls = callsIn(reply);
  const message = {
    content: textsIn(reply).join(""),
    ...(calls.length > 0 && { tool_calls: calls.map((one) => call(one)) }),
  };
  return JSON.stringify(completion(message, reply.stop, reply.output));
}

const error = (message: unknown, type: string, code: string | null = null): string =>
  JSON.stringify({ object: "error", message, type, param: null, code });
const extraForbidden: Fields = {
  detail: [
    {
      type: "extra_forbidden",
      loc: ["body", "n"],
      msg: "Extra inputs are not permitted",
      input: 1,
    },
  ],
};
const full =
  "Prompt contains 300000 tokens, too large for model with 131072 maximum context length";
const busy = "Service tier capacity exceeded for this model.";

const failures: readonly HttpFailure[] = [
  { status: 400, body: error(full, "invalid_request_error", "3051"), kind: "context-window" },
  {
    status: 400,
    body: error(
      "Unexpected role 'user' after role 'tool'",
      "invalid_request_message_order",
      "3230",
    ),
    kind: "invalid-request",
  },
  {
    status: 400,
    body: error(
      "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.",
      "invalid_function_call",
      "3280",
    ),
    kind: "invalid-request",
  },
  { status: 401, body: '{"detail":"Unauthorized"}', kind: "auth" },
  { status: 422, body: error(extraForbidden, "invalid_request_error"), kind: "invalid-request" },
  {
    status: 429,
    headers: { "retry-after": "3" },
    body: error("Rate limit exceeded", "rate_limited", "1300"),
    kind: "rate-limit",
  },
  { status: 429, body: error(busy, "invalid_request_error"), kind: "rate-limit" },
  { status: 429, body: error(busy, "service_tier_capacity_exceeded", "3505"), kind: "overloaded" },
  {
    status: 500,
    body: error("Service unavailable.", "internal_server_error", "1000"),
    kind: "server",
  },
  { status: 503, body: error(busy, "service_tier_capacity_exceeded", "3505"), kind: "overloaded" },
];

/**
 * Mistral's API from the server's side: Chat Completions with its own format and rules.
 * https://docs.mistral.ai/api
 */
export const wire: Wire = {
  name: "mistral",
  nativeStops: {
    stop: "stop",
    "tool-use": "tool_calls",
    length: "length",
    "context-window": "model_length",
    error: "error",
  },
  frames,
  whole,
  streams: ({ body }) => JSON.parse(body).stream === true,
  fixtures: fixtures,
  errors: [
    { frame: error("Rate limit exceeded", "rate_limited", "1300"), kind: "rate-limit" },
    { frame: error(busy, "service_tier_capacity_exceeded", "3505"), kind: "overloaded" },
    { frame: error(full, "invalid_request_invalid_args", "3051"), kind: "context-window" },
    { frame: error("Service unavailable.", "internal_server_error", "1000"), kind: "server" },
  ],
  failures,
  violations,
};
