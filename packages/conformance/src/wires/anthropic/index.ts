import { files } from "../../../fixtures/anthropic.js";
import { parseFixtures } from "../../fixtures/corpus.ts";
import { isObject, tryParseJson } from "../../harness/json.ts";
import type { AgentWire, Frames, HttpFailure, InBandError, Reply, Wire } from "../../wire.ts";
import { anthropicModels } from "../models.ts";
import { blocksOf, contentText, fieldsOf, objectsIn, pieces } from "../shared.ts";
import { anthropicClient } from "./client.ts";
import { anthropicViolations } from "./rules.ts";

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
type AnthropicEvent = Readonly<Record<string, unknown>> & { readonly type: string };
/** A content block: the content of its first event, its deltas, and whether it stays open. */
interface AnthropicBlock {
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas: readonly Readonly<Record<string, unknown>>[];
  readonly open?: true;
}

const emptyMessage = {
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5-5",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: {
    input_tokens: 25,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
  },
};

/** An empty input comes as one empty delta. */
const anthropicInputPieces = (input: object): readonly string[] => {
  const json = JSON.stringify(input);
  return ["", ...pieces(json === "{}" ? "" : json)];
};

const toBlock = (block: Reply["blocks"][number]): AnthropicBlock =>
  "name" in block
    ? {
        start: { type: "tool_use", id: block.id, name: block.name, input: {} },
        deltas: anthropicInputPieces(block.input).map((piece) => ({
          type: "input_json_delta",
          partial_json: piece,
        })),
      }
    : {
        start: { type: "text", text: "" },
        deltas: pieces(block.text).map((piece) => ({ type: "text_delta", text: piece })),
      };

const blockEvents = (
  { start, deltas, open }: AnthropicBlock,
  index: number,
): readonly AnthropicEvent[] => [
  { type: "content_block_start", index, content_block: start },
  ...deltas.map((delta): AnthropicEvent => ({ type: "content_block_delta", index, delta })),
  ...(open ? [] : [{ type: "content_block_stop", index }]),
];

/** The events of a message. A ping follows the start of the first block. */
function messageFrames(blocks: readonly AnthropicBlock[], { stop, output }: Reply): Frames {
  const [first = [], ...rest] = blocks.map(blockEvents);
  const events: readonly AnthropicEvent[] = [
    { type: "message_start", message: emptyMessage },
    ...first.slice(0, 1),
    { type: "ping" },
    ...first.slice(1),
    ...rest.flat(),
    {
      type: "message_delta",
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: output },
    },
    { type: "message_stop" },
  ];
  return { upToTerminal: events.map((event) => JSON.stringify(event)) };
}

/** The reply as a stream. */
const anthropicFrames = (reply: Reply): Frames => messageFrames(reply.blocks.map(toBlock), reply);

/** The reply as a stream in which the last block stays open. */
const anthropicUnclosed = (reply: Reply): Frames =>
  messageFrames(
    reply.blocks.map((block, index, { length }) =>
      index === length - 1 ? { ...toBlock(block), open: true } : toBlock(block),
    ),
    reply,
  );

/** The reply to a request without `stream`. */
const anthropicBody = ({ blocks, stop, output }: Reply): string =>
  JSON.stringify({
    ...emptyMessage,
    content: blocks.map((block) =>
      "name" in block
        ? { type: "tool_use", ...block }
        : { type: "text", text: block.text, citations: null },
    ),
    stop_reason: stop,
    usage: { ...emptyMessage.usage, output_tokens: output },
  });

/** How agents use the protocol. SDKs of other vendors send no `v1` before the path. */
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
};

const anthropicError = (type: string, message: string): string =>
  JSON.stringify({
    type: "error",
    error: { type, message },
    request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
  });

/** https://platform.claude.com/docs/en/api/errors */
const anthropicFailures: readonly HttpFailure[] = [
  {
    status: 400,
    body: anthropicError(
      "invalid_request_error",
      "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after",
    ),
    kind: "invalid-request",
  },
  {
    status: 400,
    body: anthropicError(
      "invalid_request_error",
      "prompt is too long: 208310 tokens > 200000 maximum",
    ),
    kind: "context-window",
  },
  { status: 401, body: anthropicError("authentication_error", "invalid x-api-key"), kind: "auth" },
  {
    status: 403,
    body: anthropicError(
      "permission_error",
      "Your API key does not have permission to use this resource",
    ),
    kind: "auth",
  },
  {
    status: 402,
    body: anthropicError("billing_error", "Your credit balance is too low"),
    kind: "billing",
  },
  {
    status: 404,
    body: anthropicError("not_found_error", "model: claude-nothing"),
    kind: "invalid-request",
  },
  {
    status: 413,
    body: anthropicError("request_too_large", "Request exceeds the maximum size"),
    kind: "context-window",
  },
  {
    status: 429,
    headers: { "retry-after": "12" },
    body: anthropicError("rate_limit_error", "This request would exceed your rate limit"),
    kind: "rate-limit",
  },
  { status: 500, body: anthropicError("api_error", "Internal server error"), kind: "server" },
  { status: 529, body: anthropicError("overloaded_error", "Overloaded"), kind: "overloaded" },
];

const anthropicErrors: readonly InBandError[] = [
  { frame: anthropicError("overloaded_error", "Overloaded"), kind: "overloaded" },
  { frame: anthropicError("api_error", "Internal server error"), kind: "server" },
  { frame: anthropicError("rate_limit_error", "Too many requests"), kind: "rate-limit" },
  { frame: anthropicError("x_later_error", "Something new"), kind: "server" },
];

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
  frames: anthropicFrames,
  unclosed: anthropicUnclosed,
  ends: true,
  whole: anthropicBody,
  fixtures: parseFixtures(files, "fixtures/anthropic"),
  errors: anthropicErrors,
  failures: anthropicFailures,
  violations: anthropicViolations,
  client: anthropicClient,
  agent: anthropicAgent,
};
