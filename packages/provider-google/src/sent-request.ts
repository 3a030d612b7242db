import {
  type Fields,
  fieldsOf,
  type OfferedTool,
  type SentParts,
  sentParts,
  sentTool,
} from "@fullstop/core/adapter";

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of the API,
 * or from the parameters of the SDK's `generateContent`. The API accepts names in camel case and in
 * snake case. https://ai.google.dev/api/generate-content
 */
export function readSent(body: unknown): SentParts {
  const sent = fieldsOf(body);
  const config = fieldsOf(sent["config"]);
  const generation = fieldsOf(either(sent, "generationConfig", "generation_config") ?? config);
  const cap = either(generation, "maxOutputTokens", "max_output_tokens");
  const tools = sent["tools"] ?? config["tools"];
  const isJson =
    either(generation, "responseMimeType", "response_mime_type") === "application/json";
  const schema =
    either(generation, "responseJsonSchema", "response_json_schema") ??
    either(generation, "responseSchema", "response_schema");
  return sentParts({ cap, tools, ...(isJson && { schema }) }, readTools);
}

/** A tool with declarations has many functions. A tool without is one of the vendor's. */
function readTools(tool: Fields): readonly OfferedTool[] {
  const declared = either(tool, "functionDeclarations", "function_declarations");
  if (!Array.isArray(declared)) return [{ provider: "google", definition: tool }];
  return declared.map(fieldsOf).map(({ name, description, parameters, ...rest }) => {
    const schema = either(rest, "parametersJsonSchema", "parameters_json_schema") ?? parameters;
    return sentTool({ name, description, inputSchema: fieldsOf(schema) });
  });
}

const either = (fields: Fields, camelCase: string, snakeCase: string): unknown =>
  fields[camelCase] ?? fields[snakeCase];
