import type { ToolCallBlock } from "@fullstop/core";
import type OpenAI from "openai";
import { isObjectText } from "../decode/json-object.ts";

/** Names of other providers' tools may hold characters that this one refuses. */
export const toolName = (name: string): string =>
  name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);

/** A call in history, and what its seal adds. */
export function encodeCall(
  { id, name, inputText, kind, providerData: seal }: ToolCallBlock,
  customTools: boolean,
): OpenAI.ChatCompletionMessageToolCall {
  if (kind === "text" && customTools)
    return { id, type: "custom", custom: { name: toolName(name), input: inputText } };
  const { extra_content } = (typeof seal === "object" && seal !== null ? seal : {}) as {
    readonly extra_content?: unknown;
  };
  return {
    id,
    type: "function",
    function: { name: toolName(name), arguments: jsonInput(inputText, kind) },
    ...(extra_content !== undefined && { extra_content }),
  };
}

/** Templates of many hosts read the arguments as JSON and want an object: free-form text, and what is none, goes in as `{ text }`. */
function jsonInput(inputText: string, kind: "text" | undefined): string {
  if (kind !== "text" && inputText.trim() === "") return "{}";
  return kind !== "text" && isObjectText(inputText)
    ? inputText
    : JSON.stringify({ text: inputText });
}
