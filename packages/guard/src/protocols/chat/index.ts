import { parseChat } from "@fullstop/provider-openai/reply";
import type { Protocol } from "../protocol.ts";
import { chatBody } from "./body.ts";
import { chatErrorBody } from "./errors.ts";
import { createChatEditor } from "./stream.ts";

/**
 * Chat Completions of all hosts.
 * https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events
 */
export const chat: Protocol = {
  name: "openai-chat",
  parse: parseChat,
  failBody: chatErrorBody,
  // A blank line after a comment is an empty event for openai-python (openai-python#2722).
  keepAlive: ": \n",
  afterError: "break",
  body: chatBody,
  createEditor: createChatEditor,
  addUserMessage({ messages, ...request }, text) {
    return Array.isArray(messages)
      ? { ...request, messages: [...messages, { role: "user", content: text }] }
      : undefined;
  },
};
