import {
  type Fields,
  fieldsOf,
  type OfferedTool,
  type SentParts,
  sentParts,
  sentTool,
} from "@fullstop/core/adapter";

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of the API.
 * https://ai.google.dev/api/interactions-api
 */
export function readSentInteraction(body: unknown): SentParts {
  const { generation_config: config, tools, response_format: format } = fieldsOf(body);
  const cap = fieldsOf(config)["max_output_tokens"];
  // A format may be one of a list.
  const formats = [format].flat().map(fieldsOf);
  const json = formats.find(({ mime_type: type }) => type === "application/json");
  return sentParts({ cap, tools, schema: json?.["schema"] }, readSentTool);
}

/** A tool that is not a function is one of the vendor's. */
const readSentTool = (tool: Fields): readonly OfferedTool[] => {
  const { type, name, description, parameters } = tool;
  return type === "function"
    ? [sentTool({ name, description, inputSchema: fieldsOf(parameters) })]
    : [{ provider: "google", definition: tool }];
};
