import type { TurnRequest } from "@fullstop/core";
import type OpenAI from "openai";
import { effortOf, thinks } from "../models.ts";
import { encodeMessages } from "./input-items.ts";

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Tool = NonNullable<TurnRequest["tools"]>[number];

/** Parameters of the API that go with every request. What a request itself says counts more. A conversation that the API keeps is not among them: the history is sent. */
export type ResponsesParams = Partial<
  Omit<
    Params,
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
    | "prompt"
  >
>;

export interface Target {
  readonly model: string;
  readonly params?: ResponsesParams | undefined;
}

/** A request in the shape of the API; any valid history encodes. Nothing is stored there unless the parameters say so. */
export function encode(request: TurnRequest, { model, params = {} }: Target): Params {
  const { system, messages, maxTokens, cache } = request;
  const { tool_choice, include, reasoning, prompt_cache_options, store = false, ...rest } = params;
  const included = [
    ...new Set([
      ...(include ?? []),
      ...(thinks(model) ? (["reasoning.encrypted_content"] as const) : []),
    ]),
  ];
  return {
    ...rest,
    model,
    store,
    input: encodeMessages(messages, store === true),
    ...(system !== undefined && system !== "" && { instructions: system }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(included.length > 0 && { include: included }),
    ...toolParams(request, tool_choice),
    ...reasoningParams(request, model, reasoning),
    ...cacheParams(cache, prompt_cache_options),
  };
}

type ToolParams = Pick<Params, "tools" | "tool_choice">;

function toolParams(
  { tools = [], toolChoice }: TurnRequest,
  preferred: Params["tool_choice"],
): ToolParams {
  if (tools.length === 0) return {};
  const choice =
    typeof toolChoice === "object" ? forced(tools, toolChoice.name) : (toolChoice ?? preferred);
  return { tools: tools.map(encodeTool), ...(choice !== undefined && { tool_choice: choice }) };
}

function forced(tools: readonly Tool[], name: string): NonNullable<Params["tool_choice"]> {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined && "provider" in tool)
    return forcedNative(tool.definition as OpenAI.Responses.Tool);
  if (tool !== undefined && tool.inputSchema === "text") return { type: "custom", name };
  return { type: "function", name };
}

/** Tools that the API defines are chosen by their type. */
function forcedNative({
  type,
  ...rest
}: OpenAI.Responses.Tool): NonNullable<Params["tool_choice"]> {
  const named =
    "name" in rest
      ? { name: rest.name }
      : "server_label" in rest
        ? { server_label: rest.server_label }
        : {};
  return { type, ...named } as NonNullable<Params["tool_choice"]>;
}

/** Names go as they are, for the reply says them again. So do schemas: `strict` would refuse those that do not name every property as required. */
function encodeTool(tool: Tool): OpenAI.Responses.Tool {
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

function reasoningParams(
  { effort }: TurnRequest,
  model: string,
  preferred: Params["reasoning"],
): Pick<Params, "reasoning"> {
  const level = effort === undefined ? undefined : effortOf(model, effort);
  const reasoning = { ...preferred, ...(level !== undefined && { effort: level }) };
  return Object.keys(reasoning).length > 0 ? { reasoning } : {};
}

/** Caching is on unless nothing is marked for it. https://platform.openai.com/docs/guides/prompt-caching */
function cacheParams(
  cache: TurnRequest["cache"],
  preferred: Params["prompt_cache_options"],
): Pick<Params, "prompt_cache_options"> {
  if (cache === "off") return { prompt_cache_options: { mode: "explicit" } };
  return preferred === undefined ? {} : { prompt_cache_options: preferred };
}
