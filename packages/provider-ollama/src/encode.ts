import type { Effort, ToolSpec, TurnRequest } from "@fullstop/core";
import { type Fields, fieldsOf, mapSubschemas, textSchema } from "@fullstop/core/adapter";
import { encodeMessages, type OllamaMessage } from "./history.ts";

/**
 * The options of a model. `num_predict` is missing: set `maxTokens`, so that the gate knows the cap.
 * https://github.com/ollama/ollama/blob/main/docs/modelfile.mdx#valid-parameters-and-values
 */
export interface OllamaModelOptions {
  /** The context window in tokens, for the prompt and the reply. Set it: the default is small. */
  readonly num_ctx?: number | undefined;
  readonly num_keep?: number | undefined;
  readonly num_batch?: number | undefined;
  readonly num_gpu?: number | undefined;
  readonly main_gpu?: number | undefined;
  readonly num_thread?: number | undefined;
  readonly use_mmap?: boolean | undefined;
  readonly seed?: number | undefined;
  readonly temperature?: number | undefined;
  readonly top_k?: number | undefined;
  readonly top_p?: number | undefined;
  readonly min_p?: number | undefined;
  readonly typical_p?: number | undefined;
  readonly repeat_last_n?: number | undefined;
  readonly repeat_penalty?: number | undefined;
  readonly presence_penalty?: number | undefined;
  readonly frequency_penalty?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  /** Options of later versions. */
  readonly [option: string]: unknown;
}

/** Parameters of `/api/chat`, sent with every request. The request's own values win. */
export interface OllamaParams {
  /** Temperature, context window, sampling. */
  readonly options?: OllamaModelOptions | undefined;
  /** How long the model stays in memory: `"10m"`, or seconds; `-1` for ever. */
  readonly keep_alive?: string | number | undefined;
  /** Whether the model thinks; a level for models that have levels. */
  readonly think?: boolean | "low" | "medium" | "high" | "max" | undefined;
  /** `"json"` or a JSON Schema for the text of the reply. */
  readonly format?: "json" | Readonly<Record<string, unknown>> | undefined;
  /**
   * `true`: the server drops the beginning of a conversation that does not fit into the context
   * window, and does not say so. The default of the adapter is `false`: an error.
   */
  readonly truncate?: boolean | undefined;
  /**
   * `true`: if the context window fills during a reply, the server drops the beginning of the
   * conversation and goes on. The default of the adapter is `false`: the reply ends as `length`.
   */
  readonly shift?: boolean | undefined;
  readonly logprobs?: boolean | undefined;
  readonly top_logprobs?: number | undefined;
}

/** The request of the API. https://github.com/ollama/ollama/blob/main/docs/api.md */
export interface OllamaRequest extends OllamaParams {
  readonly model: string;
  readonly messages: readonly OllamaMessage[];
  readonly stream: boolean;
  readonly tools?: readonly unknown[];
}

/** What is the same for all requests of an adapter. */
export interface EncodeOptions {
  readonly model: string;
  readonly stream: boolean;
  readonly params?: OllamaParams | undefined;
}

export function encode(
  request: TurnRequest,
  { model, stream, params = {} }: EncodeOptions,
): OllamaRequest {
  const { system, messages, maxTokens, effort, output } = request;
  const { options, ...rest } = params;
  const think = effort === undefined ? params.think : encodeEffort(effort, model);
  const tools = encodeTools(request);
  const modelOptions = { ...options, ...(maxTokens !== undefined && { num_predict: maxTokens }) };
  return {
    truncate: false,
    shift: false,
    ...rest,
    model,
    messages: encodeMessages(system, messages),
    stream,
    ...(tools.length > 0 && { tools }),
    ...(think !== undefined && { think }),
    ...(output && { format: { type: "object", ...output.schema } }),
    ...(Object.keys(modelOptions).length > 0 && { options: modelOptions }),
  };
}

/**
 * Most models only think or do not. gpt-oss has levels, ignores `true`, and cannot be kept from
 * thinking. https://github.com/ollama/ollama/blob/main/docs/capabilities/thinking.mdx
 */
function encodeEffort(effort: Effort, model: string): OllamaParams["think"] {
  if (!/(^|\/)gpt-oss/.test(model)) return effort !== "none";
  return effort === "none" ? "low" : effort;
}

/** The API has no `toolChoice` (ollama/ollama#11171): `"none"` offers no tools, a name only one. */
function encodeTools({ tools = [], toolChoice }: TurnRequest): readonly unknown[] {
  if (toolChoice === "none") return [];
  const chosen = typeof toolChoice === "object" ? toolChoice.name : undefined;
  return tools
    .filter(({ name }) => chosen === undefined || name === chosen)
    .map((tool) => ("provider" in tool ? tool.definition : encodeTool(tool)));
}

const encodeTool = ({ name, description, inputSchema }: ToolSpec) => ({
  type: "function",
  function: { name, description, parameters: encodeSchema(inputSchema) },
});

/**
 * The server reads a schema into types of its own: `properties` must be there, and each of them must
 * be an object. The API has no free-form tools: their text is the property of an object.
 * https://github.com/ollama/ollama/blob/main/api/types.go
 */
function encodeSchema(schema: Fields | "text"): Fields {
  if (schema === "text") return textSchema;
  return { properties: {}, ...withoutBooleans(schema), type: "object" };
}

const withoutBooleans = (schema: Fields): Fields =>
  mapSubschemas(schema, (inner) => withoutBooleans(fieldsOf(inner)));
