import {
  type Fields,
  fieldsOf,
  type OfferedTool,
  type SentParts,
  sentParts,
  sentTool,
} from "@fullstop/core/adapter";

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of
 * `/api/chat`. A `num_predict` below 1 sets none.
 */
export function readSent(body: unknown): SentParts {
  const { options, tools, format } = fieldsOf(body);
  const limit = fieldsOf(options)["num_predict"];
  const cap = typeof limit === "number" && limit > 0 ? limit : undefined;
  return sentParts({ cap, tools, schema: format }, readTool);
}

function readTool({ function: declared }: Fields): readonly OfferedTool[] {
  const { name, description, parameters } = fieldsOf(declared);
  if (typeof name !== "string") return [];
  return [sentTool({ name, description, inputSchema: fieldsOf(parameters) })];
}
