import type { ToolCallBlock } from "@fullstop/core";
import type OpenAI from "openai";
import { fieldsOf } from "../../shared/fields.ts";
import { encodeArguments, wrapText } from "../../shared/object-text.ts";
import { encodeToolName } from "../../shared/tool-name.ts";

/** Encodes a call of the history, with the provider data that belongs to it. */
export function encodeChatCall(
  { id, name, inputText, kind, providerData }: ToolCallBlock,
  customTools: boolean,
): OpenAI.ChatCompletionMessageToolCall {
  if (kind === "text" && customTools)
    return { id, type: "custom", custom: { name: encodeToolName(name), input: inputText } };
  const { extra_content } = fieldsOf(providerData);
  return {
    id,
    type: "function",
    function: {
      name: encodeToolName(name),
      arguments: kind === "text" ? wrapText(inputText) : encodeArguments(inputText),
    },
    ...(extra_content !== undefined && { extra_content }),
  };
}
