import type { ToolSpec, TurnRequest } from "@fullstop/core";
import { fieldsOf } from "../shared/fields.ts";
import { readOutput } from "../shared/read-output.ts";

/** The API's parameters for the output cap. */
export const capNames: readonly string[] = ["max_completion_tokens", "max_tokens"];

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of Chat
 * Completions.
 */
export function readChatRequest(
  body: unknown,
): Pick<TurnRequest, "maxTokens" | "tools" | "output"> {
  const { tools, response_format, ...params } = fieldsOf(body);
  const cap = capNames.map((name) => params[name]).find((value) => typeof value === "number");
  const { type, json_schema: format } = fieldsOf(response_format);
  const output = readOutput(type, fieldsOf(format));
  return {
    ...(typeof cap === "number" && { maxTokens: cap }),
    ...(Array.isArray(tools) && { tools: tools.flatMap(readChatTool) }),
    ...(output && { output }),
  };
}

function readChatTool(tool: unknown): readonly ToolSpec[] {
  const { type, function: functionTool, custom } = fieldsOf(tool);
  const { name, description, parameters } = fieldsOf(type === "custom" ? custom : functionTool);
  if (typeof name !== "string") return [];
  return [
    {
      name,
      description: typeof description === "string" ? description : "",
      inputSchema: type === "custom" ? "text" : fieldsOf(parameters),
    },
  ];
}
