import type { ToolSpec, TurnRequest } from "@fullstop/core";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of
 * `/api/chat`. A `num_predict` below 1 sets none.
 */
export function readSent(body: unknown): Pick<TurnRequest, "maxTokens" | "tools" | "output"> {
  const { options, tools, format } = fieldsOf(body);
  const cap = fieldsOf(options)["num_predict"];
  const schema = fieldsOf(format);
  return {
    ...(typeof cap === "number" && cap > 0 && { maxTokens: cap }),
    ...(Array.isArray(tools) && { tools: tools.flatMap(readTool) }),
    ...(schema["type"] === "object" && { output: { schema } }),
  };
}

function readTool(tool: unknown): readonly ToolSpec[] {
  const { name, description, parameters } = fieldsOf(fieldsOf(tool)["function"]);
  if (typeof name !== "string") return [];
  return [
    {
      name,
      description: typeof description === "string" ? description : "",
      inputSchema: fieldsOf(parameters),
    },
  ];
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
