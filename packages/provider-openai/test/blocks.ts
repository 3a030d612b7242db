import type { AssistantMessage, Message, ToolCallBlock, ToolResultBlock } from "@fullstop/core";

export const user = (content: string): Message => ({ role: "user", content });
export const assistantOf =
  (from: Exclude<AssistantMessage["from"], undefined>) =>
  (...content: AssistantMessage["content"]): AssistantMessage => ({
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
export const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
