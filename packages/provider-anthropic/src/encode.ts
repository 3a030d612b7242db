import type Anthropic from "@anthropic-ai/sdk";
import type { Message, TurnRequest } from "@fullstop/core";
import { calledTools, functionSchema, type OfferedTool } from "@fullstop/core/adapter";
import { encodeMessages, toolName } from "./history.ts";
import { isBlank } from "./media.ts";
import { encodeOutputSchema, unforceOutputTool } from "./output.ts";
import { type ThinkingParams, thinkingRule } from "./thinking.ts";

/**
 * Parameters that the SDK's types no longer have. Claude models up to 4.6 and other hosts of the
 * protocol take them; newer Claude models refuse them (earendil-works/pi#7961).
 * https://platform.claude.com/docs/en/about-claude/models/migration-guide
 */
export interface SamplingParams {
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly top_k?: number | undefined;
}
/** Parameters of the API, sent with every request. The request's own values win. */
export type AnthropicParams = SamplingParams &
  Partial<
    Omit<
      Anthropic.MessageCreateParamsNonStreaming,
      "model" | "messages" | "max_tokens" | "system" | "tools" | "stream"
    >
  >;

export interface EncodeOptions {
  readonly model: string;
  /** In tokens: the output cap if the request has none. */
  readonly cap: number;
  readonly params?: AnthropicParams | undefined;
  readonly unsignedThinking?: boolean | undefined;
}

export function encode(
  given: TurnRequest,
  { model, cap, params = {}, unsignedThinking }: EncodeOptions,
): Anthropic.MessageCreateParamsNonStreaming {
  const request = unforceOutputTool(given, model);
  const { system, messages, maxTokens = cap } = request;
  const { tool_choice, cache_control, container, thinking, ...rest } = params;
  const output_config = outputConfig(request, params.output_config);
  return {
    ...rest,
    model,
    max_tokens: maxTokens,
    ...(system !== undefined && !isBlank(system) && { system }),
    messages: encodeMessages(messages, unsignedThinking),
    ...toolParams(request, tool_choice),
    ...cacheParams(request, cache_control),
    ...containerParams(messages, container),
    ...thinkingParams(request, {
      model,
      cap: maxTokens,
      params: { ...(thinking && { thinking }), ...(output_config && { output_config }) },
    }),
  };
}

/** The request's own format replaces that of the parameters. */
const outputConfig = (
  { output }: TurnRequest,
  preferred: AnthropicParams["output_config"],
): AnthropicParams["output_config"] =>
  output === undefined
    ? preferred
    : {
        ...preferred,
        format: { type: "json_schema", schema: encodeOutputSchema(output.schema) },
      };

type ToolParams = Pick<Anthropic.MessageCreateParams, "tools" | "tool_choice">;

/**
 * The API refuses a history with calls in a request without tools. Such a request lists the tools
 * that were called, and forbids calls.
 */
function toolParams(
  { tools = [], toolChoice, messages }: TurnRequest,
  preferred: Anthropic.ToolChoice | undefined,
): ToolParams {
  if (tools.length === 0) {
    const called = calledTools(messages, toolName);
    return called.length === 0
      ? {}
      : { tools: called.map(encodeTool), tool_choice: { type: "none" } };
  }
  const choice = toolChoice === undefined ? preferred : encodeToolChoice(toolChoice, preferred);
  return { tools: tools.map(encodeTool), ...(choice && { tool_choice: choice }) };
}

const toolChoices: Readonly<Record<"auto" | "none" | "required", Anthropic.ToolChoice>> = {
  auto: { type: "auto" },
  none: { type: "none" },
  required: { type: "any" },
};

function encodeToolChoice(
  toolChoice: NonNullable<TurnRequest["toolChoice"]>,
  preferred: Anthropic.ToolChoice | undefined,
): Anthropic.ToolChoice {
  const choice: Anthropic.ToolChoice =
    typeof toolChoice === "string"
      ? toolChoices[toolChoice]
      : { type: "tool", name: toolChoice.name };
  const oneCallOnly =
    preferred !== undefined &&
    "disable_parallel_tool_use" in preferred &&
    preferred.disable_parallel_tool_use;
  return oneCallOnly && choice.type !== "none"
    ? { ...choice, disable_parallel_tool_use: true }
    : choice;
}

function encodeTool(tool: OfferedTool): Anthropic.ToolUnion {
  if ("provider" in tool) return tool.definition as Anthropic.ToolUnion;
  return {
    name: tool.name,
    description: tool.description,
    input_schema: functionSchema(tool.inputSchema),
  };
}

/**
 * One automatic cache breakpoint, which moves along with the conversation.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
function cacheParams(
  { cache }: TurnRequest,
  preferred: AnthropicParams["cache_control"],
): Pick<AnthropicParams, "cache_control"> {
  if (cache === "off") return {};
  const control = preferred ?? (cache === "auto" ? ({ type: "ephemeral" } as const) : undefined);
  return control === undefined ? {} : { cache_control: control };
}

/** The container that the provider's tools have used since the last message of a person. */
function containerParams(
  messages: readonly Message[],
  preferred: AnthropicParams["container"],
): Pick<AnthropicParams, "container"> {
  const lastPerson = messages.findLastIndex(
    (message) => message.role === "user" && message.by !== "loop",
  );
  const paused = messages
    .slice(lastPerson + 1)
    .findLast((message) => message.role === "assistant" && message.resume !== undefined);
  const id =
    paused?.role === "assistant" && typeof paused.resume === "string" ? paused.resume : undefined;
  if (id === undefined) return preferred === undefined ? {} : { container: preferred };
  return {
    container: typeof preferred === "object" && preferred !== null ? { ...preferred, id } : id,
  };
}

/** Sends no thinking parameter of its own if a tool is forced: the API refuses the two together. */
function thinkingParams(
  { effort, toolChoice }: TurnRequest,
  { model, cap, params = {} }: EncodeOptions,
): ThinkingParams {
  if (effort === undefined) return params;
  const rule = thinkingRule(model);
  const isForced = toolChoice === "required" || typeof toolChoice === "object";
  const { thinking, output_config } =
    effort === "none" ? rule.minimum : rule.paramsFor(effort, cap);
  const chosen =
    effort !== "none" && (params.thinking !== undefined || isForced)
      ? params.thinking
      : (thinking ?? params.thinking);
  const config = { ...params.output_config, ...output_config };
  return {
    ...(chosen && { thinking: chosen }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
  };
}
