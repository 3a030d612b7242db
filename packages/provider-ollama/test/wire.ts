import type { Frames, HttpFailure, InBandError, Reply, Wire } from "@fullstop/conformance";
import { callOf, calls, type Fields, last, text } from "./chunks.ts";
import { fixtures } from "./fixtures.ts";
import { violations } from "./refusals.ts";

const framesOf = (lines: readonly Fields[]): Frames => ({
  upToTerminal: lines.map((line) => JSON.stringify(line)),
});

/** Text in pieces, each call in a line of its own. */
const linesOf = ({ blocks }: Reply): readonly Fields[] =>
  blocks.flatMap((block): readonly Fields[] =>
    "text" in block
      ? [block.text.slice(0, 3), block.text.slice(3)]
          .filter((piece) => piece !== "")
          .map((piece) => text(piece))
      : [calls(callOf(block))],
  );

const frames = (reply: Reply): Frames =>
  framesOf([...linesOf(reply), last(reply.stop, reply.output)]);

/** The reply to a request with `stream: false`. */
function whole({ blocks, stop, output }: Reply): string {
  const content = blocks.map((block) => ("text" in block ? block.text : "")).join("");
  const called = blocks.flatMap((block) => ("name" in block ? [callOf(block)] : []));
  return JSON.stringify(
    last(stop, output, { content, ...(called.length > 0 && { tool_calls: called }) }),
  );
}

const error = (sentence: string): string => JSON.stringify({ error: sentence });
const tooLong = "the input length exceeds the context length";
const unreadableCall =
  'error parsing tool call: raw=\'{"path":"/srv\', err=unexpected end of JSON input';

/**
 * `server/routes.go` and `server/images.go` of https://github.com/ollama/ollama;
 * https://github.com/ollama/ollama/blob/main/docs/api/errors.mdx
 */
const failures: readonly HttpFailure[] = [
  { status: 400, body: error(tooLong), kind: "context-window" },
  {
    status: 400,
    body: error("registry.ollama.ai/library/gemma:latest does not support tools"),
    kind: "invalid-request",
  },
  { status: 400, body: error('"llama3.2" does not support thinking'), kind: "invalid-request" },
  {
    status: 400,
    body: error('think value "high" is not supported for this model'),
    kind: "invalid-request",
  },
  { status: 401, body: error("unauthorized"), kind: "auth" },
  { status: 404, body: error("model 'qwen3' not found"), kind: "invalid-request" },
  { status: 429, body: error("too many requests"), kind: "rate-limit" },
  {
    status: 500,
    body: error("model runner has unexpectedly stopped, this may be due to resource limitations"),
    kind: "server",
  },
  { status: 500, body: error(unreadableCall), kind: "malformed-tool-call" },
  {
    status: 500,
    body: error("failed to parse JSON: unexpected end of JSON input"),
    kind: "malformed-tool-call",
  },
  {
    status: 503,
    body: error("server busy, please try again.  maximum pending requests exceeded"),
    kind: "overloaded",
  },
];

/** After the first line the status stays 200, and the error is a line. */
const errors: readonly InBandError[] = [
  { frame: error("an error was encountered while running the model"), kind: "server" },
  { frame: error("failed to parse JSON: invalid character '}'"), kind: "malformed-tool-call" },
  { frame: error(unreadableCall), kind: "malformed-tool-call" },
  { frame: error(tooLong), kind: "context-window" },
];

/**
 * Ollama's `/api/chat` from the server's side.
 * https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
 */
export const wire: Wire = {
  name: "ollama-chat",
  framing: "ndjson",
  nativeStops: {
    stop: "stop",
    /** A reply with calls ends like one without. */
    "tool-use": "stop",
    length: "length",
    error: "load",
  },
  frames,
  whole,
  // https://github.com/ollama/ollama/blob/main/docs/api.md: a stream by default
  streams: ({ body }) => JSON.parse(body).stream !== false,
  /** `done: true` is the protocol's own end. */
  ends: true,
  fixtures,
  errors,
  failures,
  violations,
};
