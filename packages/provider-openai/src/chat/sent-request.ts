import type { ToolSpec, TurnRequest } from "@fullstop/core";

/** The API's own names of the output cap. */
export const capNames: readonly string[] = ["max_completion_tokens", "max_tokens"];

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** What the gate needs of a request body of this protocol: its cap, and its tools. */
export function readSent(body: unknown): Pick<TurnRequest, "maxTokens" | "tools"> {
  const { tools, ...params } = fields(body);
  const cap = capNames.map((name) => params[name]).find((value) => typeof value === "number");
  return {
    ...(typeof cap === "number" && { maxTokens: cap }),
    ...(Array.isArray(tools) && { tools: tools.flatMap(readTool) }),
  };
}

function readTool(tool: unknown): readonly ToolSpec[] {
  const { type, function: offered, custom } = fields(tool);
  const { name, description, parameters } = fields(type === "custom" ? custom : offered);
  if (typeof name !== "string") return [];
  const said = typeof description === "string" ? description : "";
  return [
    { name, description: said, inputSchema: type === "custom" ? "text" : fields(parameters) },
  ];
}
