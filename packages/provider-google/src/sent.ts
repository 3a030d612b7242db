import type { TurnRequest } from "@fullstop/core";

type Tool = NonNullable<TurnRequest["tools"]>[number];

/**
 * The cap and the tools of a request: a body of the API, or what the SDK's `generateContent` takes.
 * The API reads both spellings of a name. https://ai.google.dev/api/generate-content
 */
export function readSent(body: unknown): Pick<TurnRequest, "maxTokens" | "tools"> {
  const sent = fields(body);
  const config = fields(sent["config"]);
  const generation = fields(either(sent, "generationConfig", "generation_config") ?? config);
  const cap = either(generation, "maxOutputTokens", "max_output_tokens");
  const tools = sent["tools"] ?? config["tools"];
  return {
    ...(typeof cap === "number" && { maxTokens: cap }),
    ...(Array.isArray(tools) && { tools: tools.flatMap((tool) => readTools(fields(tool))) }),
  };
}

/** One tool of the API declares many functions; another is one of the vendor's. */
function readTools(tool: Fields): readonly Tool[] {
  const declared = either(tool, "functionDeclarations", "function_declarations");
  if (!Array.isArray(declared)) return [{ provider: "google", definition: tool }];
  return declared.map(fields).map(({ name, description, parameters, ...rest }) => {
    const schema = either(rest, "parametersJsonSchema", "parameters_json_schema") ?? parameters;
    return { name: text(name), description: text(description), inputSchema: fields(schema) };
  });
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fields = (value: unknown): Fields => (isFields(value) ? value : {});
const either = (of: Fields, camel: string, snake: string): unknown => of[camel] ?? of[snake];
const text = (value: unknown): string => (typeof value === "string" ? value : "");
