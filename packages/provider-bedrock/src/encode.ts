import type {
  ContentBlock,
  ConverseStreamCommandInput,
  Tool,
  ToolChoice,
} from "@aws-sdk/client-bedrock-runtime";
import type { TurnRequest } from "@fullstop/core";
import {
  calledTools,
  type Fields,
  isFields,
  type OfferedTool,
  textSchema,
} from "@fullstop/core/adapter";
import { encodeMessages, toolName } from "./history.ts";
import { isBlank } from "./media.ts";
import { type ModelRules, rulesOf, type ThinkingParams } from "./models.ts";
import { encodeFormat, unforceOutputTool } from "./output.ts";

/** Parameters of the API, sent with every request. The request's own values win. */
export type BedrockParams = Partial<
  Omit<ConverseStreamCommandInput, "messages" | "modelId" | "system" | "toolConfig">
>;

export interface EncodeOptions {
  readonly model: string;
  readonly params?: BedrockParams | undefined;
}

export function encode(
  given: TurnRequest,
  { model, params = {} }: EncodeOptions,
): ConverseStreamCommandInput {
  const rules = rulesOf(model);
  const request = unforceOutputTool(given, rules);
  const { system, maxTokens } = request;
  const messages = encodeMessages(request.messages, rules);
  const toolConfig = encodeTools(request, rules);
  const inferenceConfig = {
    ...params.inferenceConfig,
    ...(maxTokens !== undefined && { maxTokens }),
  };
  const input: ConverseStreamCommandInput = {
    ...params,
    modelId: model,
    messages,
    ...(system !== undefined && !isBlank(system) && { system: [{ text: system }] }),
    ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
    ...(toolConfig && { toolConfig }),
    ...outputParams(request, params, thinkingParams(request, rules)),
  };
  return request.cache === "auto" ? withCachePoints(input, rules) : input;
}

/** Sends no thinking parameter of its own if a tool is forced: models refuse the two together. */
function thinkingParams(
  { effort, toolChoice, maxTokens }: TurnRequest,
  rules: ModelRules,
): ThinkingParams {
  if (effort === undefined || rules.thinking === undefined) return {};
  const { fields, ...rest } = rules.thinking(effort, maxTokens);
  const isForced = toolChoice === "required" || typeof toolChoice === "object";
  return { ...rest, ...(fields && !isForced && { fields }) };
}

type OutputParams = Pick<
  ConverseStreamCommandInput,
  "additionalModelRequestFields" | "outputConfig"
>;

function outputParams(
  { output }: TurnRequest,
  params: BedrockParams,
  { fields, effort }: ThinkingParams,
): OutputParams {
  const outputConfig = {
    ...params.outputConfig,
    ...(effort !== undefined && { effort }),
    ...(output && { textFormat: encodeFormat(output) }),
  };
  const preferred = params.additionalModelRequestFields;
  const additional = fields && { ...(isFields(preferred) && preferred), ...fields };
  return {
    ...(Object.keys(outputConfig).length > 0 && { outputConfig }),
    ...(additional && {
      additionalModelRequestFields: additional as OutputParams["additionalModelRequestFields"],
    }),
  };
}

/**
 * The API refuses a history with calls in a request without tools. Such a request lists the tools
 * that were called. Nothing in Converse forbids calls, so `none` leaves the tools out where it can.
 */
function encodeTools(
  { tools = [], toolChoice, messages }: TurnRequest,
  rules: ModelRules,
): ConverseStreamCommandInput["toolConfig"] {
  const called = calledTools(messages, toolName);
  const offered = toolChoice === "none" && called.length === 0 ? [] : tools;
  if (offered.length === 0)
    return called.length === 0
      ? undefined
      : { tools: called.map((tool) => encodeTool(tool, rules)) };
  const choice = toolChoice === undefined ? undefined : encodeToolChoice(toolChoice);
  return {
    tools: offered.map((tool) => encodeTool(tool, rules)),
    ...(choice && { toolChoice: choice }),
  };
}

/** `auto` is the default, and not every model accepts it as a choice. */
const toolChoices: Readonly<Record<"auto" | "none" | "required", ToolChoice | undefined>> = {
  auto: undefined,
  none: undefined,
  required: { any: {} },
};
const encodeToolChoice = (
  toolChoice: NonNullable<TurnRequest["toolChoice"]>,
): ToolChoice | undefined =>
  typeof toolChoice === "string"
    ? toolChoices[toolChoice]
    : { tool: { name: toolName(toolChoice.name) } };

type JsonSchema = NonNullable<Tool.ToolSpecMember["toolSpec"]["inputSchema"]>["json"];

function encodeTool(tool: OfferedTool, rules: ModelRules): Tool {
  if ("provider" in tool) return tool.definition as Tool;
  const { name, description } = tool;
  const json = encodeSchema(tool.inputSchema, rules) as JsonSchema;
  return {
    toolSpec: {
      name,
      ...(!isBlank(description) && { description }),
      inputSchema: { json },
    },
  } as Tool;
}

/** The API has no free-form tools: their text becomes the only property of an object. */
function encodeSchema(schema: Fields | "text", { plainSchemas }: ModelRules): Fields {
  if (schema === "text") return textSchema;
  if (!plainSchemas) return { ...schema, type: "object" };
  const { properties = {}, required } = schema;
  return { type: "object", properties, ...(required !== undefined && { required }) };
}

const cachePoint = { cachePoint: { type: "default" } } as const;

/**
 * One cache point after the instructions (or after the tools, if there are none), and one at the
 * end, which moves along with the conversation.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
function withCachePoints(
  input: ConverseStreamCommandInput,
  { cachePoints = [] }: ModelRules,
): ConverseStreamCommandInput {
  const { system, toolConfig, messages = [] } = input;
  const last = messages.at(-1);
  const end = last?.content?.at(-1);
  return {
    ...input,
    ...(system && cachePoints.includes("system") && { system: [...system, cachePoint] }),
    ...(!system &&
      toolConfig?.tools &&
      cachePoints.includes("tools") && {
        toolConfig: { ...toolConfig, tools: [...toolConfig.tools, cachePoint] },
      }),
    ...(last &&
      isCacheable(end) &&
      cachePoints.includes("messages") && {
        messages: [
          ...messages.slice(0, -1),
          { ...last, content: [...(last.content ?? []), cachePoint] },
        ],
      }),
  };
}

const isCacheable = (block: ContentBlock | undefined): boolean =>
  block?.text !== undefined || block?.toolResult !== undefined;
