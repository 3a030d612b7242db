import type { TurnRequest } from "@fullstop/core";
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
  return sentParts({ cap, tools, output: readFormat(format) }, readSentTool);
}

/** A format may be one of a list. A schema of another type does not ask for an object. */
function readFormat(format: unknown): TurnRequest["output"] {
  const formats = (Array.isArray(format) ? format : [format]).map(fieldsOf);
  const json = formats.find(({ mime_type: type }) => type === "application/json");
  const schema = fieldsOf(json?.["schema"]);
  const { type } = schema;
  return typeof type === "string" && type.toLowerCase() === "object" ? { schema } : undefined;
}

/** A tool that is not a function is one of the vendor's. */
const readSentTool = (tool: Fields): readonly OfferedTool[] => {
  const { type, name, description, parameters } = tool;
  return type === "function"
    ? [sentTool({ name, description, inputSchema: fieldsOf(parameters) })]
    : [{ provider: "google", definition: tool }];
};
