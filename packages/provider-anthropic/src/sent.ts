import type { TurnRequest } from "@fullstop/core";

type Tool = NonNullable<TurnRequest["tools"]>[number];

/** The cap and the tools of a request body of this protocol. https://platform.claude.com/docs/en/api/messages */
export function readSent(body: unknown): Pick<TurnRequest, "maxTokens" | "tools"> {
  const { max_tokens: cap, tools } = fields(body);
  return {
    ...(typeof cap === "number" && { maxTokens: cap }),
    ...(Array.isArray(tools) && { tools: tools.map((tool) => readTool(fields(tool))) }),
  };
}

/** A tool without a schema is one of the vendor's. */
function readTool(tool: Fields): Tool {
  const { name, description, input_schema: schema } = tool;
  const named = typeof name === "string" ? name : "";
  if (!isFields(schema)) return { provider: "anthropic", definition: tool, name: named };
  return {
    name: named,
    description: typeof description === "string" ? description : "",
    inputSchema: schema,
  };
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fields = (value: unknown): Fields => (isFields(value) ? value : {});
