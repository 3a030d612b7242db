import { parseFixtures } from "../../fixtures/corpus.ts";
import { filesIn } from "../../fixtures/files.ts";
import { isObject, tryParseJson } from "../../harness/json.ts";
import type { AgentWire, PausedReply, Wire } from "../../wire.ts";
import { anthropicModels } from "../models.ts";
import {
  blocksOf,
  contentText,
  fieldsOf,
  listErrors,
  listFailures,
  objectsIn,
  textsOf,
} from "../shared.ts";
import { sourcesOf } from "../sources.ts";
import { anthropicClient } from "./client.ts";
import {
  anthropicBody,
  anthropicFrames,
  anthropicRepetitions,
  anthropicUnclosed,
} from "./frames.ts";
import { anthropicHeld } from "./held.ts";
import { anthropicViolations } from "./refusals.ts";

/** SDKs of other vendors send no `v1` before the path. */
const anthropicAgent: AgentWire = {
  route: /\/messages$/,
  env: (server) => ({
    ANTHROPIC_BASE_URL: server,
    ANTHROPIC_API_URL: server,
    ANTHROPIC_API_KEY: "not-a-key",
  }),
  streams: ({ body }) => fieldsOf(tryParseJson(body))["stream"] === true,
  tools: (body) =>
    objectsIn(fieldsOf(body)["tools"]).flatMap(({ name, input_schema: inputSchema }) =>
      isObject(inputSchema) ? [{ name: String(name), inputSchema }] : [],
    ),
  results: (body) =>
    objectsIn(fieldsOf(body)["messages"])
      .flatMap(({ content }) => blocksOf(content))
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id: call, content }) => ({
        call: String(call),
        text: contentText(content),
      })),
  opening: (body) => {
    const { system, messages, thread } = fieldsOf(body);
    const goesOn = fieldsOf(thread)["type"] === "continue";
    const first = goesOn ? undefined : objectsIn(messages).find(({ role }) => role === "user");
    return { system: contentText(system), firstMessage: contentText(first?.["content"]) };
  },
  models: anthropicModels,
  replyIds: (event) => {
    const { type, id, message } = fieldsOf(event);
    return textsOf(type === "message" ? id : fieldsOf(message)["id"]);
  },
  held: anthropicHeld,
};

const anthropicError = (message: string, type: string): string =>
  JSON.stringify({
    type: "error",
    error: { type, message },
    request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
  });

/** https://platform.claude.com/docs/en/api/errors */
const anthropicFailures = listFailures(anthropicError, {
  "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after":
    "400 invalid-request invalid_request_error",
  "prompt is too long: 208310 tokens > 200000 maximum": "400 context-window invalid_request_error",
  "invalid x-api-key": "401 auth authentication_error",
  "Your API key does not have permission to use this resource": "403 auth permission_error",
  "Your credit balance is too low": "402 billing billing_error",
  "model: claude-nothing": "404 invalid-request not_found_error",
  "Request exceeds the maximum size": "413 context-window request_too_large",
  "This request would exceed your rate limit": "429 rate-limit rate_limit_error",
  "Internal server error": "500 server api_error",
  Overloaded: "529 overloaded overloaded_error",
});

const anthropicErrors = listErrors({
  [anthropicError("Overloaded", "overloaded_error")]: "overloaded",
  [anthropicError("Internal server error", "api_error")]: "server",
  [anthropicError("Too many requests", "rate_limit_error")]: "rate-limit",
  [anthropicError("Something new", "x_later_error")]: "server",
});

/**
 * The loop of a server tool reached its limit: a call of a server tool has no result yet. There is
 * no call of a client's tool: with one the stop reason is `tool_use`, also while a server tool waits.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
 */
const anthropicPause: PausedReply = {
  stop: "pause_turn",
  // Tools without a type, and those of the type `custom`, are the client's.
  canFollow: (body) =>
    objectsIn(fieldsOf(body)["tools"]).some(({ type = "custom" }) => type !== "custom"),
  fixture: "paused",
};

/**
 * Anthropic Messages, from the server's side.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
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
  // Not in the vendor's list: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
  unlistedStops: ["sensitive", "terminated"],
  // The same page says what to do under each: `end_turn` use the response, `tool_use` run the tool.
  callsNeedTheirStop: true,
  eventsAfterStop: 1,
  pause: anthropicPause,
  frames: anthropicFrames,
  unclosed: anthropicUnclosed,
  repetitions: anthropicRepetitions,
  ends: true,
  whole: anthropicBody,
  sources: sourcesOf("anthropic-messages"),
  fixtures: parseFixtures(filesIn("anthropic"), "fixtures/anthropic"),
  errors: anthropicErrors,
  failures: anthropicFailures,
  violations: anthropicViolations,
  client: anthropicClient,
  agent: anthropicAgent,
};
