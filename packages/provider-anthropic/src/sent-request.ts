import {
  type Fields,
  fieldsOf,
  isFields,
  type OfferedTool,
  type SentParts,
  sentParts,
  sentTool,
} from "@fullstop/core/adapter";

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of this
 * protocol. https://platform.claude.com/docs/en/api/messages
 */
export function readSent(body: unknown): SentParts {
  const { max_tokens: cap, tools, output_config: config, output_format: former } = fieldsOf(body);
  const { type, schema } = fieldsOf(fieldsOf(config)["format"] ?? former);
  return sentParts({ cap, tools, ...(type === "json_schema" && { schema }) }, (tool) => [
    readTool(tool),
  ]);
}

/** A tool without a schema is one of the vendor's. */
function readTool(tool: Fields): OfferedTool {
  const { name, description, input_schema: inputSchema } = tool;
  return isFields(inputSchema)
    ? sentTool({ name, description, inputSchema })
    : { provider: "anthropic", definition: tool, name: typeof name === "string" ? name : "" };
}
