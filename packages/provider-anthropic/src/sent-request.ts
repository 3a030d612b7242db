import type { TurnRequest } from "@fullstop/core";

type Tool = NonNullable<TurnRequest["tools"]>[number];
type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of this
 * protocol. https://platform.claude.com/docs/en/api/messages
 */
export function readSent(body: unknown): Pick<TurnRequest, "maxTokens" | "tools" | "output"> {
  const { max_tokens: cap, tools, output_config: config, output_format: former } = fieldsOf(body);
  const { type, schema } = fieldsOf(fieldsOf(config)["format"] ?? former);
  const asksForObject = type === "json_schema" && fieldsOf(schema)["type"] === "object";
  return {
    ...(typeof cap === "number" && { maxTokens: cap }),
    ...(Array.isArray(tools) && { tools: tools.map((tool) => readTool(fieldsOf(tool))) }),
    ...(asksForObject && { output: { schema: fieldsOf(schema) } }),
  };
}

/** A tool without a schema is one of the vendor's. */
function readTool(tool: Fields): Tool {
  const { name: givenName, description, input_schema: inputSchema } = tool;
  const name = typeof givenName === "string" ? givenName : "";
  if (!isFields(inputSchema)) return { provider: "anthropic", definition: tool, name };
  return { name, description: typeof description === "string" ? description : "", inputSchema };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
