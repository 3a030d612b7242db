import { files } from "../../../fixtures/anthropic.js";
import { parseFixtures } from "../../fixtures/corpus.ts";
import type { HttpFailure, InBandError, Wire } from "../../wire.ts";
import { agent } from "./agent.ts";
import { frames, unclosed, wholeBody } from "./frames.ts";
import { violations } from "./rules.ts";

const error = (type: string, message: string): string =>
  JSON.stringify({
    type: "error",
    error: { type, message },
    request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
  });

/** https://platform.claude.com/docs/en/api/errors */
const failures: readonly HttpFailure[] = [
  {
    status: 400,
    body: error(
      "invalid_request_error",
      "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after",
    ),
    kind: "invalid-request",
  },
  {
    status: 400,
    body: error("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
    kind: "context-window",
  },
  { status: 401, body: error("authentication_error", "invalid x-api-key"), kind: "auth" },
  {
    status: 403,
    body: error("permission_error", "Your API key does not have permission to use this resource"),
    kind: "auth",
  },
  { status: 402, body: error("billing_error", "Your credit balance is too low"), kind: "billing" },
  { status: 404, body: error("not_found_error", "model: claude-nothing"), kind: "invalid-request" },
  {
    status: 413,
    body: error("request_too_large", "Request exceeds the maximum size"),
    kind: "context-window",
  },
  {
    status: 429,
    headers: { "retry-after": "12" },
    body: error("rate_limit_error", "This request would exceed your rate limit"),
    kind: "rate-limit",
  },
  { status: 500, body: error("api_error", "Internal server error"), kind: "server" },
  { status: 529, body: error("overloaded_error", "Overloaded"), kind: "overloaded" },
];
const errors: readonly InBandError[] = [
  { frame: error("overloaded_error", "Overloaded"), kind: "overloaded" },
  { frame: error("api_error", "Internal server error"), kind: "server" },
  { frame: error("rate_limit_error", "Too many requests"), kind: "rate-limit" },
  { frame: error("x_later_error", "Something new"), kind: "server" },
];

/** Anthropic Messages, as its servers speak it. https://platform.claude.com/docs/en/build-with-claude/streaming */
export const anthropicWire: Wire = {
  name: "anthropic-messages",
  nativeStops: {
    stop: "end_turn",
    "tool-use": "tool_use",
    length: "max_tokens",
    "context-window": "model_context_window_exceeded",
    pause: "pause_turn",
    refusal: "refusal",
    "content-filter": "sensitive",
    error: "terminated",
  },
  frames,
  unclosed,
  ends: true,
  whole: wholeBody,
  fixtures: parseFixtures(files, "fixtures/anthropic"),
  errors,
  failures,
  violations,
  agent,
};
