import type { Reference } from "./reference.ts";

/** The protocols of the suite, by the names of their wires. */
export type Protocol =
  | "anthropic-messages"
  | "openai-chat"
  | "openai-responses"
  | "gemini-generate-content"
  | "gemini-interactions";

export type PageSubject =
  | "calls"
  | "results"
  | "inputs"
  | "stops"
  | "stream"
  | "errorInStream"
  | "errors";

type Page = Reference & { readonly url: string };

const claude = "https://platform.claude.com/docs/en";
const openaiPages = "https://developers.openai.com/api";
const google = "https://ai.google.dev";
const chat = `${openaiPages}/reference/resources/chat`;
const chatEvents = `${chat}/subresources/completions/streaming-events`;
const responses = `${openaiPages}/reference/resources/responses`;
const generate = `${google}/api/generate-content`;
const interactions = `${google}/gemini-api/docs`;

/** The pages of the vendors, and what each says: by subject, then by protocol. */
const urls: Readonly<
  Record<PageSubject, Readonly<Record<Protocol, readonly [url: string, note: string]>>>
> = {
  calls: {
    "anthropic-messages": [
      `${claude}/agents-and-tools/tool-use/implement-tool-use`,
      "a reply may have several `tool_use` blocks, and each is run",
    ],
    "openai-chat": [
      `${openaiPages}/docs/guides/function-calling`,
      "a reply may have several calls; with a forced choice of a function it ends under `stop`",
    ],
    "openai-responses": [
      `${openaiPages}/docs/guides/function-calling`,
      "a response may have several `function_call` items, and each is run",
    ],
    "gemini-generate-content": [
      `${google}/gemini-api/docs/function-calling`,
      "a reply may have several `functionCall` parts, and each is run",
    ],
    "gemini-interactions": [
      `${interactions}/function-calling`,
      "a reply may have several `function_call` steps, and each is run",
    ],
  },
  results: {
    "anthropic-messages": [
      `${claude}/agents-and-tools/tool-use/implement-tool-use`,
      "each `tool_use` block has one `tool_result` with its id in the next message",
    ],
    "openai-chat": [
      `${openaiPages}/docs/guides/function-calling`,
      "each call is answered with one `tool` message that has its `tool_call_id`",
    ],
    "openai-responses": [
      `${openaiPages}/docs/guides/function-calling`,
      "each `function_call` is answered with one `function_call_output` that has its `call_id`",
    ],
    "gemini-generate-content": [
      `${google}/gemini-api/docs/function-calling`,
      "each `functionCall` is answered with one `functionResponse`",
    ],
    "gemini-interactions": [
      `${interactions}/function-calling`,
      "each `function_call` is answered with one `function_result` that has its `call_id`",
    ],
  },
  inputs: {
    "anthropic-messages": [
      `${claude}/agents-and-tools/tool-use/fine-grained-tool-streaming`,
      "an input may be invalid or partial JSON; at `max_tokens` the stream may end in the middle of one",
    ],
    "openai-chat": [
      chat,
      "the model does not always generate valid JSON: the arguments are checked before the function is called",
    ],
    "openai-responses": [
      `${responses}/streaming-events`,
      "the arguments come in pieces, and `response.function_call_arguments.done` has the whole text",
    ],
    "gemini-generate-content": [generate, "the arguments of a call are a JSON object"],
    "gemini-interactions": [
      `${interactions}/streaming`,
      "the arguments come in pieces, each in an `arguments_delta`, up to the end of the step",
    ],
  },
  stops: {
    "anthropic-messages": [
      `${claude}/build-with-claude/handling-stop-reasons`,
      "a reply at the cap is retried or continued, a paused turn is sent back, and a refused one is not used",
    ],
    "openai-chat": [
      chat,
      "`length`: the token limit of the request was reached; `content_filter`: content was left out",
    ],
    "openai-responses": [
      `${responses}/create`,
      "a response is `completed`, `failed` or `incomplete`; `incomplete_details` says why",
    ],
    "gemini-generate-content": [
      `${generate}#FinishReason`,
      "only `STOP` is a natural end; `MAX_TOKENS`: the token limit of the request was reached",
    ],
    "gemini-interactions": [
      `${interactions}/interactions-overview`,
      "an interaction is `completed`, `failed`, `incomplete` or `cancelled`, or it `requires_action`",
    ],
  },
  stream: {
    "anthropic-messages": [
      `${claude}/build-with-claude/streaming`,
      "each event is JSON; the stop reason comes in `message_delta`, and `message_stop` ends the stream",
    ],
    "openai-chat": [
      chatEvents,
      "each chunk is JSON; `finish_reason` is null in all chunks but the last of a choice",
    ],
    "openai-responses": [
      `${responses}/streaming-events`,
      "each event is JSON; `response.completed`, `response.incomplete` or `response.failed` ends the stream",
    ],
    "gemini-generate-content": [
      generate,
      "each chunk is JSON; as long as `finishReason` is empty, the model has not stopped",
    ],
    "gemini-interactions": [
      `${interactions}/streaming`,
      "each event is JSON; `interaction.completed` has the status and ends the stream",
    ],
  },
  errorInStream: {
    "anthropic-messages": [
      `${claude}/build-with-claude/streaming#error-events`,
      "an overloaded_error comes inside a 200",
    ],
    "openai-chat": [
      "https://openrouter.ai/docs/api/reference/errors-and-debugging",
      "once a part of the reply has come, an error comes inside a 200, as a chunk with `error`",
    ],
    "openai-responses": [
      `${responses}/streaming-events`,
      "an `error` event comes inside a 200, and `response.failed` ends the stream",
    ],
    "gemini-generate-content": [
      `${google}/gemini-api/docs/troubleshooting`,
      "the errors of the service, with the codes that also come inside a stream",
    ],
    "gemini-interactions": [
      `${interactions}/streaming#error`,
      "an `error` event comes inside a 200",
    ],
  },
  errors: {
    "anthropic-messages": [`${claude}/api/errors`, "429 and 500 are errors of one request"],
    "openai-chat": [
      `${openaiPages}/docs/guides/error-codes`,
      "429 and 500: the same request is sent again after a wait",
    ],
    "openai-responses": [
      `${openaiPages}/docs/guides/error-codes`,
      "429 and 500: the same request is sent again after a wait",
    ],
    "gemini-generate-content": [
      `${google}/gemini-api/docs/troubleshooting`,
      "500 and 503: the same request is sent again after a wait",
    ],
    "gemini-interactions": [
      `${interactions}/api-errors`,
      "429 and 503: the same request is sent again after a wait",
    ],
  },
};

/** The page of a vendor about a subject. */
export function pageOf(subject: PageSubject, wire: Protocol): Page {
  const [url, note] = urls[subject][wire];
  return { url, note, wire };
}

/** The pages of all vendors about a subject: each protocol has its own. */
export const pagesAbout = (subject: PageSubject): readonly Page[] =>
  (Object.keys(urls[subject]) as Protocol[]).map((wire) => pageOf(subject, wire));
