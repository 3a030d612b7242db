import type { ToolSpec, TurnRequest } from "@fullstop/core";

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What the gate needs of a request body: its cap, and its tools with their schemas. */
export function readSent(body: unknown): Pick<TurnRequest, "maxTokens" | "tools"> {
  const { max_output_tokens: cap, tools } = isObject(body) ? body : {};
  return {
    ...(typeof cap === "number" && { maxTokens: cap }),
    ...(Array.isArray(tools) && { tools: tools.filter(isObject).flatMap(readTool) }),
  };
}

function readTool({ type, name, description, parameters }: Fields): readonly ToolSpec[] {
  if (typeof name !== "string" || (type !== "function" && type !== "custom")) return [];
  const about = { name, description: typeof description === "string" ? description : "" };
  if (type === "custom") return [{ ...about, inputSchema: "text" }];
  return isObject(parameters) ? [{ ...about, inputSchema: parameters }] : [];
}
