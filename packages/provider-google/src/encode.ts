import type { AssistantMessage, Message, TurnRequest } from "@fullstop/core";
import { functionSchema, type OfferedTool, type Origin } from "@fullstop/core/adapter";
import type {
  FunctionCallingConfig,
  FunctionCallingConfigMode,
  GenerateContentConfig,
  GenerateContentParameters,
  Tool,
} from "@google/genai";
import { encodeMessages } from "./history.ts";
import { thinkingConfig } from "./models.ts";

/** Parameters that the adapter sets itself. */
type AdapterParams =
  | "abortSignal"
  | "automaticContinuation"
  | "automaticFunctionCalling"
  | "candidateCount"
  | "continuationToken"
  | "httpOptions"
  | "maxOutputTokens"
  | "systemInstruction"
  | "tools";
/** Parameters of the API, sent with every request. The request's own values win. */
export type GoogleParams = Partial<Omit<GenerateContentConfig, AdapterParams>>;

export interface EncodeOptions extends Origin {
  /** In tokens: the output cap if the request has none. */
  readonly cap: number;
  readonly params?: GoogleParams | undefined;
}

export function encode(
  request: TurnRequest,
  options: EncodeOptions,
): GenerateContentParameters & { readonly config: GenerateContentConfig } {
  const { model, cap, params = {} } = options;
  const { system, maxTokens = cap, effort, output } = request;
  const { toolConfig, thinkingConfig: preferred, ...rest } = params;
  const { responseMimeType: _, responseSchema: __, responseJsonSchema: ___, ...unformatted } = rest;
  const { messages, token } = findContinuation(request.messages);
  const requested =
    effort === undefined ? undefined : thinkingConfig(effort, { model, cap: maxTokens });
  return {
    model,
    contents: encodeMessages(messages, { model, isOwn: (message) => isFrom(options, message) }),
    config: {
      ...(output === undefined
        ? rest
        : {
            ...unformatted,
            responseMimeType: "application/json",
            responseJsonSchema: { type: "object", ...output.schema },
          }),
      // Otherwise the SDK itself repeats an unfinished request, which budgets, aborts and usage do not
      // see.
      automaticContinuation: false,
      automaticFunctionCalling: { disable: true },
      maxOutputTokens: maxTokens,
      ...(system !== undefined && system !== "" && { systemInstruction: system }),
      ...toolParams(request, toolConfig),
      ...thinkingParams(preferred, requested),
      ...(token !== undefined && { continuationToken: token }),
    },
  };
}

const isFrom = ({ provider, protocol, model }: Origin, { from }: AssistantMessage): boolean =>
  from?.provider === provider && from.protocol === protocol && from.model === model;

/**
 * To continue a reply that reached the limit of one request, the API needs the same request with
 * the token of the reply, without the reply so far.
 */
export function findContinuation(messages: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly token?: string;
} {
  const last = messages.at(-1);
  const token = last?.role === "assistant" && last.stopReason === "pause" ? last.resume : undefined;
  if (typeof token !== "string") return { messages };
  const end = messages.findLastIndex(
    (message) => message.role !== "assistant" || message.stopReason !== "pause",
  );
  return { messages: messages.slice(0, end + 1), token };
}

type ToolParams = Pick<GenerateContentConfig, "tools" | "toolConfig">;

function toolParams(
  { tools = [], toolChoice }: TurnRequest,
  preferred: GenerateContentConfig["toolConfig"],
): ToolParams {
  if (tools.length === 0) return {};
  const functionCallingConfig = toolChoice && {
    ...preferred?.functionCallingConfig,
    ...encodeToolChoice(toolChoice),
  };
  const config = { ...preferred, ...(functionCallingConfig && { functionCallingConfig }) };
  return {
    tools: encodeTools(tools),
    ...(Object.keys(config).length > 0 && { toolConfig: config }),
  };
}

/** A value of the enum loads the SDK, so the table has its texts. */
const modes: Readonly<Record<"auto" | "none" | "required", `${FunctionCallingConfigMode}`>> = {
  auto: "AUTO",
  none: "NONE",
  required: "ANY",
};

const encodeToolChoice = (
  toolChoice: NonNullable<TurnRequest["toolChoice"]>,
): FunctionCallingConfig =>
  typeof toolChoice === "string"
    ? { mode: modes[toolChoice] as FunctionCallingConfigMode }
    : {
        mode: modes.required as FunctionCallingConfigMode,
        allowedFunctionNames: [toolChoice.name],
      };

/** All functions go into one tool. Tools that Google defines are sent verbatim. */
function encodeTools(tools: readonly OfferedTool[]): Tool[] {
  const functionDeclarations = tools.flatMap((tool) =>
    "provider" in tool
      ? []
      : [
          {
            name: tool.name,
            description: tool.description,
            parametersJsonSchema: functionSchema(tool.inputSchema),
          },
        ],
  );
  const native = tools.flatMap((tool) => ("provider" in tool ? [tool.definition as Tool] : []));
  return functionDeclarations.length === 0 ? native : [{ functionDeclarations }, ...native];
}

/** The API refuses a level and a budget together. */
function thinkingParams(
  preferred: GenerateContentConfig["thinkingConfig"],
  requested: GenerateContentConfig["thinkingConfig"],
): Pick<GenerateContentConfig, "thinkingConfig"> {
  const { thinkingLevel: _, thinkingBudget: __, ...rest } = preferred ?? {};
  const config = requested === undefined ? { ...preferred } : { ...rest, ...requested };
  return Object.keys(config).length > 0 ? { thinkingConfig: config } : {};
}
