import type { TurnRequest } from "@fullstop/core";
import type { OfferedTool } from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { encodeOutputFormat } from "../output.ts";
import { type HostRules, openaiRules } from "./hosts.ts";
import { encodeInputItems } from "./input-items.ts";
import { canReason, encodeEffort } from "./models.ts";

type ResponsesRequestBody = OpenAI.Responses.ResponseCreateParamsNonStreaming;

/** Set by the request itself, or about a conversation that the API stores. */
type ReservedResponsesParams =
  | "model"
  | "input"
  | "instructions"
  | "max_output_tokens"
  | "tools"
  | "stream"
  | "stream_options"
  | "background"
  | "conversation"
  | "previous_response_id"
  | "prompt";
/** Parameters of the API, sent with every request. A field of the request takes precedence. */
export type ResponsesParams = Partial<Omit<ResponsesRequestBody, ReservedResponsesParams>>;

interface ResponsesEncodeOptions {
  readonly model: string;
  readonly params?: ResponsesParams | undefined;
  readonly rules?: HostRules | undefined;
}

/** Any valid history can be encoded. The API stores nothing by default. */
export function encodeResponsesRequest(
  request: TurnRequest,
  { model, params = {}, rules = openaiRules }: ResponsesEncodeOptions,
): ResponsesRequestBody {
  const { system, messages, maxTokens, cache, output } = request;
  const {
    tool_choice,
    text,
    include,
    reasoning,
    prompt_cache_options,
    store = false,
    ...rest
  } = params;
  const included = [
    ...new Set([
      ...(include ?? []),
      ...(canReason(model) ? (["reasoning.encrypted_content"] as const) : []),
    ]),
  ];
  return {
    ...rest,
    model,
    store,
    input: encodeInputItems(messages, { ...rules, stored: store === true }),
    ...(system !== undefined && system !== "" && { instructions: system }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(included.length > 0 && { include: included }),
    ...encodeResponsesTools(request, tool_choice),
    ...reasoningParams(request, model, reasoning),
    ...cacheParams(cache, prompt_cache_options),
    ...textParams(output, text),
  };
}

function reasoningParams(
  { effort }: TurnRequest,
  model: string,
  preferred: ResponsesRequestBody["reasoning"],
): Pick<ResponsesRequestBody, "reasoning"> {
  const level = effort === undefined ? undefined : encodeEffort(model, effort);
  const reasoning = { ...preferred, ...(level !== undefined && { effort: level }) };
  return Object.keys(reasoning).length > 0 ? { reasoning } : {};
}

function textParams(
  output: TurnRequest["output"],
  preferred: ResponsesRequestBody["text"],
): Pick<ResponsesRequestBody, "text"> {
  if (output === undefined) return preferred === undefined ? {} : { text: preferred };
  return { text: { ...preferred, format: { type: "json_schema", ...encodeOutputFormat(output) } } };
}

/**
 * The API caches by default. `explicit` without a mark caches nothing.
 * https://platform.openai.com/docs/guides/prompt-caching
 */
function cacheParams(
  cache: TurnRequest["cache"],
  preferred: ResponsesRequestBody["prompt_cache_options"],
): Pick<ResponsesRequestBody, "prompt_cache_options"> {
  if (cache === "off") return { prompt_cache_options: { mode: "explicit" } };
  return preferred === undefined ? {} : { prompt_cache_options: preferred };
}

type ToolChoice = NonNullable<OpenAI.Responses.ResponseCreateParams["tool_choice"]>;

interface ResponsesToolParams {
  readonly tools?: OpenAI.Responses.Tool[];
  readonly tool_choice?: ToolChoice;
}

function encodeResponsesTools(
  { tools = [], toolChoice }: TurnRequest,
  preferred: ToolChoice | undefined,
): ResponsesToolParams {
  if (tools.length === 0) return {};
  const choice =
    typeof toolChoice === "object"
      ? encodeNamedChoice(tools, toolChoice.name)
      : (toolChoice ?? preferred);
  return {
    tools: tools.map(encodeResponsesTool),
    ...(choice !== undefined && { tool_choice: choice }),
  };
}

function encodeNamedChoice(tools: readonly OfferedTool[], name: string): ToolChoice {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined && "provider" in tool)
    return encodeNativeChoice(tool.definition as OpenAI.Responses.Tool);
  if (tool !== undefined && tool.inputSchema === "text") return { type: "custom", name };
  return { type: "function", name };
}

function encodeNativeChoice(definition: OpenAI.Responses.Tool): ToolChoice {
  const { type } = definition;
  if ("name" in definition) return { type, name: definition.name } as ToolChoice;
  if ("server_label" in definition)
    return { type, server_label: definition.server_label } as ToolChoice;
  return { type } as ToolChoice;
}

/** The reply repeats names. `strict` would refuse properties that are not required. */
function encodeResponsesTool(tool: OfferedTool): OpenAI.Responses.Tool {
  if ("provider" in tool) return tool.definition as OpenAI.Responses.Tool;
  const { name, description } = tool;
  if (tool.inputSchema === "text") return { type: "custom", name, description };
  return {
    type: "function",
    name,
    description,
    parameters: { properties: {}, ...tool.inputSchema, type: "object" },
    strict: false,
  };
}
