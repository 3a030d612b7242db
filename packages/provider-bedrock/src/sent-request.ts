import {
  type Fields,
  fieldsOf,
  isFields,
  type OfferedTool,
  type SentParts,
  sentParts,
  sentTool,
  tryParseJson,
} from "@fullstop/core/adapter";

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of
 * Converse, or from the input of the SDK's command.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export function readSent(body: unknown): SentParts {
  const sent = fieldsOf(body);
  const cap = fieldsOf(sent["inferenceConfig"])["maxTokens"];
  const { tools } = fieldsOf(sent["toolConfig"]);
  return sentParts({ cap, tools, schema: readSchema(fieldsOf(sent["outputConfig"])) }, readTool);
}

/** The schema is sent as a text. */
function readSchema({ textFormat }: Fields): unknown {
  const { schema } = fieldsOf(fieldsOf(fieldsOf(textFormat)["structure"])["jsonSchema"]);
  return tryParseJson(String(schema));
}

/** A tool without a specification is one of the service, or a cache point. */
function readTool(tool: Fields): readonly OfferedTool[] {
  if ("cachePoint" in tool) return [];
  if (!isFields(tool["toolSpec"])) return [{ provider: "bedrock", definition: tool }];
  const { name, description, inputSchema } = tool["toolSpec"];
  return [sentTool({ name, description, inputSchema: fieldsOf(fieldsOf(inputSchema)["json"]) })];
}
