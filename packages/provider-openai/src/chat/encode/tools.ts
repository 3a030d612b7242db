import type { Message, TurnRequest } from "@fullstop/core";
import type OpenAI from "openai";
import type { OfferedTool } from "../../shared/offered-tool.ts";
import { encodeToolName } from "../../shared/tool-name.ts";
import type { Quirks } from "../quirks.ts";

/** The parameters about tools. */
interface ChatToolParams {
  readonly tools?: OpenAI.ChatCompletionTool[];
  readonly tool_choice?: OpenAI.ChatCompletionToolChoiceOption;
  readonly parallel_tool_calls?: boolean;
}
type PreferredParams = Pick<
  OpenAI.ChatCompletionCreateParams,
  "tool_choice" | "parallel_tool_calls"
>;

/**
 * Some hosts refuse a history with calls if the request has no tools: the called tools are then
 * listed, but must not be called.
 */
export function encodeChatTools(
  { tools = [], toolChoice, messages }: TurnRequest,
  preferred: PreferredParams,
  quirks: Quirks,
): ChatToolParams {
  if (tools.length === 0) {
    const names = quirks.toolsNeeded ? calledNames(messages) : [];
    return names.length === 0 ? {} : { tools: names.map(encodeFormerTool), tool_choice: "none" };
  }
  const choice =
    toolChoice === undefined
      ? preferred.tool_choice
      : encodeChatToolChoice(toolChoice, tools, quirks);
  const { parallel_tool_calls: parallel } = preferred;
  return {
    tools: tools.map((tool) => encodeChatTool(tool, quirks)),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
  };
}

function encodeChatToolChoice(
  choice: NonNullable<TurnRequest["toolChoice"]>,
  tools: readonly OfferedTool[],
  quirks: Quirks,
): OpenAI.ChatCompletionToolChoiceOption {
  // The SDK's type lacks "any", which some hosts expect instead of "required".
  if (choice === "required") return (quirks.required ?? choice) as "required";
  if (typeof choice === "string") return choice;
  const { name } = choice;
  const isCustom =
    quirks.customTools && tools.some((tool) => tool.name === name && isFreeForm(tool));
  return isCustom ? { type: "custom", custom: { name } } : { type: "function", function: { name } };
}

const isFreeForm = (tool: OfferedTool): boolean =>
  !("provider" in tool) && tool.inputSchema === "text";

function encodeChatTool(tool: OfferedTool, { customTools }: Quirks): OpenAI.ChatCompletionTool {
  if ("provider" in tool) return tool.definition as OpenAI.ChatCompletionTool;
  const { name, description, inputSchema } = tool;
  if (inputSchema === "text" && customTools)
    return { type: "custom", custom: { name, description } };
  return {
    type: "function",
    function: { name, description, parameters: parametersOf(inputSchema) },
  };
}

const parametersOf = (
  schema: Readonly<Record<string, unknown>> | "text",
): OpenAI.FunctionParameters =>
  schema === "text"
    ? {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false,
      }
    : { ...schema, type: "object" };

/** The tools that a history calls, each once. */
function calledNames(messages: readonly Message[]): readonly string[] {
  const blocks = messages.flatMap((message) =>
    message.role === "assistant" ? message.content : [],
  );
  const names = blocks.flatMap((block) =>
    block.type === "tool-call" ? [encodeToolName(block.name)] : [],
  );
  return [...new Set(names)];
}

const encodeFormerTool = (name: string): OpenAI.ChatCompletionTool => ({
  type: "function",
  function: {
    name,
    description: "Called earlier in this conversation; no longer offered.",
    parameters: { type: "object", properties: {} },
  },
});
