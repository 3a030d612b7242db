import type { ToolSpec, TurnRequest } from "@fullstop/core";
import { type Fields, fieldsOf, isFields } from "../shared/fields.ts";
import { readOutput } from "../shared/read-output.ts";

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of the
 * Responses API.
 */
export function readResponsesRequest(
  body: unknown,
): Pick<TurnRequest, "maxTokens" | "tools" | "output"> {
  const { max_output_tokens: cap, tools, text } = fieldsOf(body);
  const { type, ...format } = fieldsOf(fieldsOf(text)["format"]);
  const output = readOutput(type, format);
  return {
    ...(typeof cap === "number" && { maxTokens: cap }),
    ...(Array.isArray(tools) && { tools: tools.filter(isFields).flatMap(readResponsesTool) }),
    ...(output && { output }),
  };
}

function readResponsesTool({ type, name, description, parameters }: Fields): readonly ToolSpec[] {
  if (typeof name !== "string" || (type !== "function" && type !== "custom")) return [];
  const tool = { name, description: typeof description === "string" ? description : "" };
  if (type === "custom") return [{ ...tool, inputSchema: "text" }];
  return isFields(parameters) ? [{ ...tool, inputSchema: parameters }] : [];
}
