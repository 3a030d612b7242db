import { parseFixtures } from "../../fixtures/corpus.ts";
import { filesIn } from "../../fixtures/files.ts";
import { isObject, tryParseJson } from "../../harness/json.ts";
import type { AgentWire, CallRepetition, Frames, Reply, ReplyCall, Wire } from "../../wire.ts";
import { openaiModels } from "../models.ts";
import {
  contentText,
  type Fields,
  fieldsOf,
  listErrors,
  listFailures,
  objectsIn,
  openaiEnv,
  pieces,
  readOpening,
  textsOf,
} from "../shared.ts";
import { sourcesOf } from "../sources.ts";
import { chatClient } from "./client.ts";
import { chatViolations } from "./refusals.ts";

const firstChoice = (payload: string): Fields =>
  fieldsOf(objectsIn(fieldsOf(tryParseJson(payload))["choices"])[0]);
const callDeltas = (payload: string): readonly Fields[] =>
  objectsIn(fieldsOf(firstChoice(payload)["delta"])["tool_calls"]);

/** The last call of the deltas, in the form of the deprecated `function_call`. */
function lastCall(payloads: readonly string[]): Fields {
  const deltas = payloads.flatMap(callDeltas);
  const pieces = deltas
    .filter(({ index }) => index === deltas.at(-1)?.["index"])
    .map((delta) => fieldsOf(delta["function"]));
  return {
    name: pieces.find(({ name }) => typeof name === "string")?.["name"],
    arguments: pieces.map((piece) => piece["arguments"] ?? "").join(""),
  };
}

/** Adds an event behind those of the calls. */
function echoCall({ upToTerminal, after }: Frames): Frames {
  const at = upToTerminal.findLastIndex((payload) => callDeltas(payload).length > 0);
  const last = upToTerminal[at] ?? "";
  const choice = { ...firstChoice(last), delta: { function_call: lastCall(upToTerminal) } };
  const echo = JSON.stringify({ ...fieldsOf(tryParseJson(last)), choices: [choice] });
  return { upToTerminal: upToTerminal.toSpliced(at + 1, 0, echo), ...(after && { after }) };
}

/** A call is in `tool_calls`, and the deprecated `function_call` may have it, too. */
export const chatRepetitions: readonly CallRepetition[] = [
  { id: "function-call-echo", how: "which `function_call` says again", repeat: echoCall },
];

/**
 * https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events
 */
const chatMetadata = {
  id: "chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG",
  created: 1_741_570_283,
  model: "gpt-5.2",
};

const chunkOf = (delta: Fields, finishReason: string | null = null): Fields => ({
  ...chatMetadata,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  usage: null,
});
const chatUsage = (output: number): Fields => ({
  prompt_tokens: 25,
  completion_tokens: output,
  total_tokens: 25 + output,
});
const usageChunk = (output: number): Fields => ({
  ...chatMetadata,
  object: "chat.completion.chunk",
  choices: [],
  usage: chatUsage(output),
});
const callChunk = (call: Fields): Fields => chunkOf({ tool_calls: [call] });

/** An empty input is an empty text. */
const argumentsOf = (input: object): string => {
  const json = JSON.stringify(input);
  return json === "{}" ? "" : json;
};
const callChunks = (index: number, { id, name, input }: ReplyCall): readonly Fields[] => [
  callChunk({ index, id, type: "function", function: { name, arguments: "" } }),
  ...pieces(argumentsOf(input)).map((piece) =>
    callChunk({ index, function: { arguments: piece } }),
  ),
];

/** A refusal beside calls. It has no word of its own: it is a member of the message. */
const refusedCalls = "tool_calls:refusal";
const refusalText = "I can't help with that.";

/** The word of a stop reason, and the refusal that comes with it. */
const splitRefusal = (stop: string): { readonly word: string; readonly refusal: string | null } =>
  stop === refusedCalls
    ? { word: "tool_calls", refusal: refusalText }
    : { word: stop, refusal: null };

/** The reply as a stream. The usage and `[DONE]` follow its end. */
function chatFrames({ blocks, stop, output }: Reply): Frames {
  let index = 0;
  const { word, refusal } = splitRefusal(stop);
  const chunks = [
    chunkOf({ role: "assistant", content: "", refusal: null }),
    ...blocks.flatMap((block) =>
      "name" in block
        ? callChunks(index++, block)
        : pieces(block.text).map((content) => chunkOf({ content })),
    ),
    ...(refusal === null ? [] : [chunkOf({ refusal })]),
    chunkOf({}, word),
  ];
  return {
    upToTerminal: chunks.map((chunk) => JSON.stringify(chunk)),
    after: [JSON.stringify(usageChunk(output)), "[DONE]"],
  };
}

function chatBody({ blocks, stop, output }: Reply): string {
  const calls = blocks.filter((block) => "name" in block);
  const texts = blocks.filter((block) => "text" in block).map((block) => block.text);
  const { word, refusal } = splitRefusal(stop);
  const message = {
    role: "assistant",
    content: texts.length > 0 ? texts.join("") : null,
    refusal,
    annotations: [],
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: argumentsOf(input) },
      })),
    }),
  };
  return JSON.stringify({
    ...chatMetadata,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: word }],
    usage: chatUsage(output),
  });
}

const chatAgent: AgentWire = {
  route: /\/chat\/completions$/,
  env: openaiEnv,
  streams: ({ body }) => fieldsOf(tryParseJson(body))["stream"] === true,
  tools: (body) =>
    objectsIn(fieldsOf(body)["tools"]).flatMap((tool) => {
      const { name, parameters } = fieldsOf(tool["function"]);
      return typeof name === "string" ? [{ name, inputSchema: parameters ?? {} }] : [];
    }),
  results: (body) =>
    objectsIn(fieldsOf(body)["messages"])
      .filter(({ role }) => role === "tool")
      .map(({ tool_call_id: call, content }) => ({
        call: String(call),
        text: contentText(content),
      })),
  forcesCall: (body) => {
    const choice = fieldsOf(body)["tool_choice"];
    return choice === "required" || isObject(choice);
  },
  opening: (body) => readOpening(objectsIn(fieldsOf(body)["messages"])),
  models: openaiModels,
  replyIds: (event) => textsOf(fieldsOf(event)["id"]),
};

const chatError = (message: string, type: string, code: string | null = null): string =>
  JSON.stringify({ error: { message, type, param: null, code } });

const serverFailed = "The server had an error while processing your request.";
const tooLong =
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 10012 tokens.";

/** https://developers.openai.com/api/docs/guides/error-codes */
const chatFailures = listFailures(chatError, {
  "Invalid value: 'x'.": "400 invalid-request invalid_request_error invalid_value",
  [tooLong]: "400 context-window invalid_request_error context_length_exceeded",
  "The response was filtered due to the prompt triggering the content management policy.":
    "400 filtered invalid_request_error content_filter",
  "Incorrect API key provided.": "401 auth invalid_request_error invalid_api_key",
  "Country, region, or territory not supported": "403 auth request_forbidden",
  "The model `x` does not exist": "404 invalid-request invalid_request_error model_not_found",
  "You exceeded your current quota.": "429 billing insufficient_quota insufficient_quota",
  "Rate limit reached for requests": "429 rate-limit requests rate_limit_exceeded",
  [serverFailed]: "500 server server_error",
  "The engine is currently overloaded.": "503 overloaded server_error engine_overloaded",
});

const chatErrors = listErrors({
  [chatError(serverFailed, "server_error")]: "server",
  [chatError("Rate limit reached", "tokens", "rate_limit_exceeded")]: "rate-limit",
  [chatError(tooLong, "invalid_request_error", "context_length_exceeded")]: "context-window",
  [chatError("Something new", "x_later_error")]: "server",
});

/**
 * OpenAI Chat Completions, from the server's side.
 * https://developers.openai.com/api/reference/resources/chat
 */
export const openaiChatWire: Wire = {
  name: "openai-chat",
  nativeStops: {
    stop: "stop",
    "tool-use": "tool_calls",
    length: "length",
    "content-filter": "content_filter",
  },
  stopsWithoutCalls: [refusedCalls],
  frames: chatFrames,
  whole: chatBody,
  repetitions: chatRepetitions,
  sources: sourcesOf("openai-chat"),
  fixtures: parseFixtures(filesIn("openai-chat"), "fixtures/openai-chat"),
  errors: chatErrors,
  failures: chatFailures,
  violations: chatViolations,
  client: chatClient,
  agent: chatAgent,
};
