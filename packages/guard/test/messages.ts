import { messageStart as started } from "@tooling/test/anthropic-messages";

/** Replies of Anthropic's protocol, as event streams. */
const event = (native: { readonly type: string }): string =>
  `event: ${native.type}\ndata: ${JSON.stringify(native)}\n\n`;

export const messageStart: string = event(started);

export const textBlock = (index: number, ...pieces: readonly string[]): string =>
  [
    { type: "content_block_start", index, content_block: { type: "text", text: "" } },
    ...pieces.map((text) => ({
      type: "content_block_delta",
      index,
      delta: { type: "text_delta", text },
    })),
    { type: "content_block_stop", index },
  ]
    .map(event)
    .join("");

export const callBlock = (index: number, id: string, ...pieces: readonly string[]): string =>
  [
    {
      type: "content_block_start",
      index,
      content_block: { type: "tool_use", id, name: "write_file", input: {} },
    },
    ...pieces.map((partial_json) => ({
      type: "content_block_delta",
      index,
      delta: { type: "input_json_delta", partial_json },
    })),
    { type: "content_block_stop", index },
  ]
    .map(event)
    .join("");

export const messageEnd = (stopReason: string, outputTokens = 40): string =>
  event({
    type: "message_delta",
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: outputTokens },
  } as { type: string }) + event({ type: "message_stop" });

/** A request of the protocol. */
export const messagesRequest = {
  model: "claude-sonnet-5-5",
  max_tokens: 1024,
  stream: true,
  tools: [
    {
      name: "write_file",
      input_schema: { type: "object", properties: { path: { type: "string" } } },
    },
  ],
  messages: [{ role: "user", content: "Write it." }],
} as const;
