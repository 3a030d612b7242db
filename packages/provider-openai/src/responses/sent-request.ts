import type { ToolSpec, TurnRequest } from "@fullstop/core";
import { type Fields, fieldsOf, isFields } from "../shared/fields.ts";

/** Reads the output cap and the tools from a request body of the Responses API. */
export function readResponsesRequest(body: unknown): Pick<TurnRequest, "maxTokens" | "tools"> {
  const { max_output_tokens: cap, tools } = fieldsOf(body);
  return {
    ...(typeof cap === "number" && { maxTokens: cap }),
    ...(Array.isArray(tools) && { tools: tools.filter(isFields).flatMap(readResponsesTool) }),
  };
}

function readResponsesTool({ type, name, description, parameters }: Fields): readonly ToolSpec[] {
  if (typeof name !== "string" || (type !== "function" && type !== "custom")) return [];
  const tool = { name, description: typeof description === "string" ? description : "" };
  if (type === "custom") return [{ ...tool, inputSchema: "text" }];
  return isFields(parameters) ? [{ ...tool, inputSchema: parameters }] : [];
}
