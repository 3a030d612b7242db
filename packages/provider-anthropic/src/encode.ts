import type Anthropic from "@anthropic-ai/sdk";
import type { Message, TurnRequest } from "@fullstop/core";
import { encodeMessages, toolName } from "./history.ts";
import { isBlank } from "./media.ts";
import { type ThinkingParams, thinkingRule } from "./thinking.ts";

/** Parameters of the API that go with every request. What a request itself says counts more. */
export type AnthropicParams = Partial<
  Omit<
    Anthropic.MessageCreateParamsNonStreaming,
    "model" | "messages" | "max_tokens" | "system" | "tools" | "stream"
  >
>;

export interface Target {
  readonly model: string;
  /** The output cap of a request that names none. */
  readonly cap: number;
  readonly params?: AnthropicParams | undefined;
}

/** A request in the shape of the API; any valid history encodes. */
export function encode(
  request: TurnRequest,
  { model, cap, params = {} }: Target,
): Anthropic.MessageCreateParamsNonStreaming {
  const { system, messages, maxTokens = cap } = request;
  const { tool_choice, cache_control, container, thinking, output_config, ...rest } = params;
  return {
    ...rest,
    model,
    max_tokens: maxTokens,
    ...(system !== undefined && !isBlank(system) && { system }),
    messages: encodeMessages(messages),
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

type ToolParams = Pick<Anthropic.MessageCreateParams, "tools" | "tool_choice">;

/** The API refuses a history with calls in a request without tools: then the called names are listed, and may not be called. */
function toolParams(
  { tools = [], toolChoice, messages }: TurnRequest,
  preferred: Anthropic.ToolChoice | undefined,
): ToolParams {
  if (tools.length === 0) {
    const names = calledNames(messages);
    return names.length === 0
      ? {}
      : { tools: names.map(formerTool), tool_choice: { type: "none" } };
  }
  const choice = toolChoice === undefined ? preferred : chosen(toolChoice, preferred);
  return { tools: tools.map(encodeTool), ...(choice && { tool_choice: choice }) };
}

const choices: Readonly<Record<"auto" | "none" | "required", Anthropic.ToolChoice>> = {
  auto: { type: "auto" },
  none: { type: "none" },
  required: { type: "any" },
};

function chosen(
  toolChoice: NonNullable<TurnRequest["toolChoice"]>,
  preferred: Anthropic.ToolChoice | undefined,
): Anthropic.ToolChoice {
  const choice: Anthropic.ToolChoice =
    typeof toolChoice === "string" ? choices[toolChoice] : { type: "tool", name: toolChoice.name };
  const alone =
    preferred !== undefined &&
    "disable_parallel_tool_use" in preferred &&
    preferred.disable_parallel_tool_use;
  return alone && choice.type !== "none" ? { ...choice, disable_parallel_tool_use: true } : choice;
}

type OfferedTool = NonNullable<TurnRequest["tools"]>[number];

function encodeTool(tool: OfferedTool): Anthropic.ToolUnion {
  if ("provider" in tool) return tool.definition as Anthropic.ToolUnion;
  return {
    name: tool.name,
    description: tool.description,
    input_schema: inputSchema(tool.inputSchema),
  };
}

/** The API knows no free-form tools: their text is the one member of an object. */
const inputSchema = (
  schema: Readonly<Record<string, unknown>> | "text",
): Anthropic.Tool.InputSchema =>
  schema === "text"
    ? {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false,
      }
    : { ...schema, type: "object" };

const calledNames = (messages: readonly Message[]): readonly string[] => {
  const blocks = messages.flatMap((message) =>
    message.role === "assistant" ? message.content : [],
  );
  return [
    ...new Set(
      blocks.flatMap((block) => (block.type === "tool-call" ? [toolName(block.name)] : [])),
    ),
  ];
};
const formerTool = (name: string): Anthropic.Tool => ({
  name,
  description: "Called earlier in this conversation; no longer offered.",
  input_schema: { type: "object" },
});

/** One automatic breakpoint, which moves along with the conversation. https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
function cacheParams(
  { cache }: TurnRequest,
  preferred: AnthropicParams["cache_control"],
): Pick<AnthropicParams, "cache_control"> {
  if (cache === "off") return {};
  const control = preferred ?? (cache === "auto" ? ({ type: "ephemeral" } as const) : undefined);
  return control === undefined ? {} : { cache_control: control };
}

/** The container that the provider's tools left their work in since a person last spoke. */
function containerParams(
  messages: readonly Message[],
  preferred: AnthropicParams["container"],
): Pick<AnthropicParams, "container"> {
  const spoken = messages.findLastIndex(
    (message) => message.role === "user" && message.by !== "loop",
  );
  const id = messages
    .slice(spoken + 1)
    .findLast((message) => message.role === "assistant" && message.resume !== undefined);
  const resume = id?.role === "assistant" && typeof id.resume === "string" ? id.resume : undefined;
  if (resume === undefined) return preferred === undefined ? {} : { container: preferred };
  return {
    container:
      typeof preferred === "object" && preferred !== null ? { ...preferred, id: resume } : resume,
  };
}

/** Thinking is left to the model where a tool is forced: the API refuses the two together. */
function thinkingParams(
  { effort, toolChoice }: TurnRequest,
  { model, cap, params = {} }: Target,
): ThinkingParams {
  if (effort === undefined) return params;
  const rule = thinkingRule(model);
  const forced = toolChoice === "required" || typeof toolChoice === "object";
  const { thinking, output_config } = effort === "none" ? rule.least : rule.think(effort, cap);
  const asked =
    effort !== "none" && (params.thinking !== undefined || forced)
      ? params.thinking
      : (thinking ?? params.thinking);
  const config = { ...params.output_config, ...output_config };
  return {
    ...(asked && { thinking: asked }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
  };
}
