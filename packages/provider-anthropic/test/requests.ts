import {
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type Origin,
  readTurn,
  type ToolCallBlock,
  type ToolResultBlock,
  type ToolSpec,
  type TurnRequest,
} from "@fullstop/core";
import type { AnthropicOptions } from "@fullstop/provider-anthropic";
import type { SentRequest } from "@tooling/test/fake-server";
import { reply, text } from "./events.ts";
import { serve } from "./server.ts";

const model = "claude-sonnet-5-5";
export const from: Origin = { provider: "anthropic", protocol: "anthropic-messages", model };
export const user = (content: string): Message => ({ role: "user", content });
export const assistant = (...content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  from,
  content,
});
export const call = (id: string, name = "read", inputText = "{}"): ToolCallBlock => ({
  type: "tool-call",
  id,
  name,
  inputText,
});
export const results = (...content: Extract<Message, { role: "tool" }>["content"]): Message => ({
  role: "tool",
  content,
});
export const result = (
  id: string,
  content: ToolResultBlock["content"] = "ok",
): ToolResultBlock => ({
  type: "tool-result",
  id,
  name: "read",
  content,
});
export const image: ImageBlock = { type: "image", mediaType: "image/png", data: "AAAA" };
export const read: ToolSpec = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};

export async function sent(
  request: Partial<TurnRequest>,
  options?: AnthropicOptions,
  name: string = model,
): Promise<SentRequest["body"]> {
  const server = serve(reply("end_turn", text(0, "ok")));
  await readTurn(server.adapter(options, name), { messages: [user("Go.")], ...request });
  return server.requests[0]?.body;
}
export const messagesOf = async (...messages: readonly Message[]): Promise<SentRequest["body"]> =>
  (await sent({ messages })).messages;
