import type { TurnRequest } from "@fullstop/core";
import type OpenAI from "openai";
import type { OfferedTool } from "../../shared/offered-tool.ts";

type ToolChoice = NonNullable<OpenAI.Responses.ResponseCreateParams["tool_choice"]>;

/** The parameters about tools. */
interface ResponsesToolParams {
  readonly tools?: OpenAI.Responses.Tool[];
  readonly tool_choice?: ToolChoice;
}

export function encodeResponsesTools(
  { tools = [], toolChoice }: TurnRequest,
  preferred: ToolChoice | undefined,
): ResponsesToolParams {
  if (tools.length === 0) return {};
  const choice =
    typeof toolChoice === "object"
      ? encodeNamedChoice(tools, toolChoice.name)
      : (toolChoice ?? preferred);
  return {
    tools: tools.map(encodeResponsesTool),
    ...(choice !== undefined && { tool_choice: choice }),
  };
}

function encodeNamedChoice(tools: readonly OfferedTool[], name: string): ToolChoice {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined && "provider" in tool)
    return encodeNativeChoice(tool.definition as OpenAI.Responses.Tool);
  if (tool !== undefined && tool.inputSchema === "text") return { type: "custom", name };
  return { type: "function", name };
}

/** Tools that the API defines are chosen by their type. */
function encodeNativeChoice(definition: OpenAI.Responses.Tool): ToolChoice {
  const { type } = definition;
  if ("name" in definition) return { type, name: definition.name } as ToolChoice;
  if ("server_label" in definition)
    return { type, server_label: definition.server_label } as ToolChoice;
  return { type } as ToolChoice;
}

/**
 * Names are sent unchanged, because the reply repeats them. `strict` would refuse a schema that
 * does not require every property.
 */
function encodeResponsesTool(tool: OfferedTool): OpenAI.Responses.Tool {
  if ("provider" in tool) return tool.definition as OpenAI.Responses.Tool;
  const { name, description } = tool;
  if (tool.inputSchema === "text") return { type: "custom", name, description };
  return {
    type: "function",
    name,
    description,
    parameters: { properties: {}, ...tool.inputSchema, type: "object" },
    strict: false,
  };
}
