import { type Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import type Anthropic from "@anthropic-ai/sdk";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { messageStart } from "@tooling/test/anthropic-messages";

/** Replies of the protocols, as event streams, and the requests for them. */
const data = (native: object): string => `data: ${JSON.stringify(native)}\n\n`;
const event = (native: { readonly type: string }): string =>
  `event: ${native.type}\n${data(native)}`;

export const key = "sk-secret-key-of-the-client";
export const secretInput = "contents-of-a-private-file";
const input = JSON.stringify({ path: "a.txt", text: secretInput });

const anthropicStart = event(messageStart);
const anthropicText = [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Writing." } },
  { type: "content_block_stop", index: 0 },
]
  .map(event)
  .join("");
const anthropicCall = (json: string, index = 1): string =>
  [
    {
      type: "content_block_start",
      index,
      content_block: { type: "tool_use", id: "toolu_1", name: "write_file", input: {} },
    },
    {
      type: "content_block_delta",
      index,
      delta: { type: "input_json_delta", partial_json: json },
    },
    { type: "content_block_stop", index },
  ]
    .map(event)
    .join("");
const anthropicEnd = (reason: string, outputTokens = 40): string =>
  event({
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: outputTokens },
  } as { type: string }) + event({ type: "message_stop" });

const chatChunk = (delta: object, reason: string | null = null): string =>
  data({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "gpt-5.2",
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
const chatCall = {
  tool_calls: [
    {
      index: 0,
      id: "call_1",
      type: "function",
      function: { name: "write_file", arguments: input },
    },
  ],
};

const geminiChunk = (parts: readonly object[], finishReason?: string): string =>
  data({
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 40, totalTokenCount: 52 },
  });

const interactionEvents = interactionsWire
  .frames({
    blocks: [
      { text: "Writing." },
      { name: "write_file", id: "call_1", input: JSON.parse(input) as object },
    ],
    stop: "requires_action",
    output: 40,
  })
  .upToTerminal.map((json) => `data: ${json}\n\n`);
const interactionCall = interactionEvents.findIndex((text) => text.includes("function_call"));

/** A reply in three forms. All say "Writing." first. */
export interface Reply {
  /** With a call that may run. */
  readonly finished: string;
  /** Without the end. */
  readonly broken: string;
  /** The text alone: its beginning. */
  readonly text: string;
}
export const replies: Readonly<Record<"anthropic" | "chat" | "gemini" | "interactions", Reply>> = {
  anthropic: {
    finished: anthropicStart + anthropicText + anthropicCall(input) + anthropicEnd("tool_use"),
    broken: anthropicStart + anthropicText + anthropicCall(input),
    text: anthropicStart + anthropicText,
  },
  chat: {
    finished: `${chatChunk({ role: "assistant", content: "Writing." })}${chatChunk(chatCall)}${chatChunk({}, "tool_calls")}data: [DONE]\n\n`,
    broken: chatChunk({ role: "assistant", content: "Writing." }) + chatChunk(chatCall),
    text: chatChunk({ role: "assistant", content: "Writing." }),
  },
  gemini: {
    finished:
      geminiChunk([{ text: "Writing." }]) +
      geminiChunk([{ functionCall: { name: "write_file", args: JSON.parse(input) } }], "STOP"),
    broken:
      geminiChunk([{ text: "Writing." }]) +
      geminiChunk([{ functionCall: { name: "write_file", args: JSON.parse(input) } }]),
    text: geminiChunk([{ text: "Writing." }]),
  },
  interactions: {
    finished: interactionEvents.join(""),
    broken: interactionEvents.slice(0, -1).join(""),
    text: interactionEvents.slice(0, interactionCall).join(""),
  },
};

/** A reply that was cut at the output limit, inside its call. */
export const cutReply: string =
  anthropicStart +
  anthropicText +
  anthropicCall(`{"path":"a.txt","text":"${secretInput}`) +
  anthropicEnd("max_tokens", 1024);
/** A finished reply whose call has `length` characters of input, in pieces. */
export function longReply(length: number): string {
  const piece = "x".repeat(4096);
  const pieces = Array.from({ length: Math.ceil(length / piece.length) }, () => piece);
  const block = { type: "tool_use", id: "toolu_1", name: "write_file", input: {} };
  const parts = ['{"path":"', ...pieces, '"}'].map((json) =>
    event({
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: json },
    } as { type: string }),
  );
  return (
    anthropicStart +
    anthropicText +
    event({ type: "content_block_start", index: 1, content_block: block } as { type: string }) +
    parts.join("") +
    event({ type: "content_block_stop", index: 1 } as { type: string }) +
    anthropicEnd("tool_use")
  );
}
/** A reply that is only a call, without its end. */
export const brokenCall: string = anthropicStart + anthropicCall(input);

/** A reply that is only a call, and that was cut inside it. */
export const cutCall: string =
  anthropicStart + anthropicCall('{"path":"a', 0) + anthropicEnd("max_tokens", 1024);

export const tool = {
  type: "object" as const,
  properties: { path: { type: "string" as const } },
};
export const messagesRequest: Anthropic.MessageCreateParamsStreaming = {
  model: "claude-sonnet-5-5",
  max_tokens: 1024,
  stream: true,
  tools: [{ name: "write_file", input_schema: tool }],
  messages: [{ role: "user", content: "Write it." }],
};

export const sse: Readonly<Record<string, string>> = { "content-type": "text/event-stream" };

/** Sends an event stream to its end. */
export const stream =
  (text: string) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { ...sse, "request-id": "req_1" }).end(text);
  };

/** Sends an event stream, and breaks the connection when it has arrived. */
export const breakAfter =
  (text: string, how: "reset" | "fin") =>
  (response: ServerResponse): void => {
    response.writeHead(200, { ...sse, "request-id": "req_1" });
    response.write(text, () => {
      setTimeout(() => {
        if (how === "reset") response.socket?.resetAndDestroy();
        else response.socket?.end();
      }, 20);
    });
  };

/** Asks for a reply of Anthropic's protocol. */
export const ask = (
  url: string,
  init: RequestInit & { readonly path?: string } = {},
): Promise<Response> =>
  fetch(`${url}${init.path ?? "/up/v1/messages"}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify(messagesRequest),
    ...init,
  });

/** Asks for the same without `fetch`. The reply has begun when this resolves. */
export const openReply = (url: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify(messagesRequest);
    const headers = { "content-type": "application/json", "content-length": body.length };
    request(`${url}/up/v1/messages`, { method: "POST", agent, headers }, resolve)
      .on("error", reject)
      .end(body);
  });
