import { type ImageBlock, type Message, readTurn, type TextBlock } from "@fullstop/core";
import type { CreateMessageRequestParams, CreateMessageResult } from "@modelcontextprotocol/client";
import type { SamplingOptions, SamplingRequest } from "./options.ts";

type SentMessage = CreateMessageRequestParams["messages"][number];

/** The words of the protocol for the replies that are given to a server. */
const stopReasons: Readonly<Record<string, string>> = { stop: "endTurn", length: "maxTokens" };

/**
 * Answers the request of a server for a reply of a model. The model gets no tools, and nothing of
 * the run.
 * @throws Error if it is denied, and if the model gives no text.
 */
export async function createMessage(
  request: SamplingRequest,
  { adapter, approve }: SamplingOptions,
  signal: AbortSignal,
): Promise<CreateMessageResult> {
  if (approve !== undefined && (await approve(request)) !== true)
    throw new Error(`The request of the server "${request.server}" for a model was denied.`);
  const { messages, systemPrompt, maxTokens } = request.params;
  const turn = await readTurn(
    adapter,
    {
      messages: messages.map(toMessage),
      maxTokens,
      ...(systemPrompt !== undefined && { system: systemPrompt }),
    },
    { signal },
  );
  const stopReason = stopReasons[turn.stopReason];
  if (stopReason === undefined || turn.text === "")
    throw new Error(
      `The model gave no reply to the server "${request.server}" (${turn.stopReason}).`,
    );
  return {
    model: adapter.model,
    role: "assistant",
    content: { type: "text", text: turn.text },
    stopReason,
  };
}

function toMessage({ role, content }: SentMessage): Message {
  const blocks = [content].flat().map(toBlock);
  if (role === "user") return { role, content: blocks };
  return { role, content: blocks.filter((block) => block.type === "text"), stopReason: "stop" };
}

type SentBlock = Exclude<SentMessage["content"], readonly unknown[]>;

function toBlock(block: SentBlock): TextBlock | ImageBlock {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "image") return { type: "image", mediaType: block.mimeType, data: block.data };
  throw new Error(
    `A request of a server for a model may hold text and images, not "${block.type}".`,
  );
}
