// Plays a model of Anthropic that is cut at the output cap, inside the input of a call: the pattern is missing.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Event = { readonly type: string; readonly [member: string]: unknown };

const replyOf = (stopReason: string, tokens: number, ...content: readonly Event[]): string => {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-5-5" };
  const usage = { input_tokens: 20, output_tokens: tokens };
  const events: readonly Event[] = [
    {
      type: "message_start",
      message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
    },
    ...content,
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: tokens },
    },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
};

const cutCall = replyOf(
  "max_tokens",
  64,
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "toolu_1", name: "delete_files", input: {} },
  },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "input_json_delta", partial_json: '{"folder": "data"' },
  },
);
const answer = replyOf(
  "end_turn",
  5,
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Done." } },
);

/** Starts the model on a free port of this machine. */
export async function startModel(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    response.setHeader("content-type", "text/event-stream");
    response.end(body.includes('"tool_result"') ? answer : cutCall);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
