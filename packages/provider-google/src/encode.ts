import type { AssistantMessage, Message, Origin, TurnRequest } from "@fullstop/core";
import {
  type FunctionCallingConfig,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type Tool,
} from "@google/genai";
import { encodeMessages } from "./history.ts";
import { thinking } from "./models.ts";

/** What the adapter says itself. */
type Own =
  | "abortSignal"
  | "automaticContinuation"
  | "automaticFunctionCalling"
  | "candidateCount"
  | "continuationToken"
  | "httpOptions"
  | "maxOutputTokens"
  | "systemInstruction"
  | "tools";
/** Parameters of the API that go with every request. What a request itself says counts more. */
export type GoogleParams = Partial<Omit<GenerateContentConfig, Own>>;

export interface Target extends Origin {
  /** The output cap of a request that names none. */
  readonly cap: number;
  readonly params?: GoogleParams | undefined;
}

/** A request in the shape of the SDK; any valid history encodes. */
export function encode(
  request: TurnRequest,
  target: Target,
): GenerateContentParameters & { readonly config: GenerateContentConfig } {
  const { model, cap, params = {} } = target;
  const { system, maxTokens = cap, effort } = request;
  const { toolConfig, thinkingConfig, ...rest } = params;
  const { messages, token } = resumed(request.messages);
  return {
    model,
    contents: encodeMessages(messages, { model, isOwn: (message) => isFrom(target, message) }),
    config: {
      ...rest,
      // The SDK would repeat a request that is not finished by itself: out of sight of budgets, aborts and usage.
      automaticContinuation: false,
      automaticFunctionCalling: { disable: true },
      maxOutputTokens: maxTokens,
      ...(system !== undefined && system !== "" && { systemInstruction: system }),
      ...toolParams(request, toolConfig),
      ...thinkingParams(
        thinkingConfig,
        effort === undefined ? undefined : thinking(effort, { model, cap: maxTokens }),
      ),
      ...(token !== undefined && { continuationToken: token }),
    },
  };
}

const isFrom = ({ provider, protocol, model }: Origin, { from }: AssistantMessage): boolean =>
  from?.provider === provider && from.protocol === protocol && from.model === model;

/** A reply that stopped at the limit of one request goes on when the same request comes again with its token: without what it said so far. */
function resumed(messages: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly token?: string;
} {
  const last = messages.at(-1);
  const token = last?.role === "assistant" && last.stopReason === "pause" ? last.resume : undefined;
  if (typeof token !== "string") return { messages };
  const said = messages.findLastIndex(
    (message) => message.role !== "assistant" || message.stopReason !== "pause",
  );
  return { messages: messages.slice(0, said + 1), token };
}

type ToolParams = Pick<GenerateContentConfig, "tools" | "toolConfig">;
type OfferedTool = NonNullable<TurnRequest["tools"]>[number];

function toolParams(
  { tools = [], toolChoice }: TurnRequest,
  preferred: GenerateContentConfig["toolConfig"],
): ToolParams {
  if (tools.length === 0) return {};
  const chosen =
    toolChoice === undefined
      ? undefined
      : { ...preferred?.functionCallingConfig, ...choice(toolChoice) };
  const config = { ...preferred, ...(chosen && { functionCallingConfig: chosen }) };
  return {
    tools: encodeTools(tools),
    ...(Object.keys(config).length > 0 && { toolConfig: config }),
  };
}

const modes: Readonly<Record<"auto" | "none" | "required", FunctionCallingConfigMode>> = {
  auto: FunctionCallingConfigMode.AUTO,
  none: FunctionCallingConfigMode.NONE,
  required: FunctionCallingConfigMode.ANY,
};
const choice = (toolChoice: NonNullable<TurnRequest["toolChoice"]>): FunctionCallingConfig =>
  typeof toolChoice === "string"
    ? { mode: modes[toolChoice] }
    : { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: [toolChoice.name] };

/** All functions in one tool; those that Google defines as they are. */
function encodeTools(tools: readonly OfferedTool[]): Tool[] {
  const functionDeclarations = tools.flatMap((tool) =>
    "provider" in tool
      ? []
      : [
          {
            name: tool.name,
            description: tool.description,
            parametersJsonSchema: inputSchema(tool.inputSchema),
          },
        ],
  );
  const native = tools.flatMap((tool) => ("provider" in tool ? [tool.definition as Tool] : []));
  return functionDeclarations.length === 0 ? native : [{ functionDeclarations }, ...native];
}

/** The API knows no free-form tools: their text is the one member of an object. */
const inputSchema = (schema: Readonly<Record<string, unknown>> | "text"): object =>
  schema === "text"
    ? {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false,
      }
    : { ...schema, type: "object" };

/** A level and a budget exclude each other. */
function thinkingParams(
  preferred: GenerateContentConfig["thinkingConfig"],
  asked: GenerateContentConfig["thinkingConfig"],
): Pick<GenerateContentConfig, "thinkingConfig"> {
  const { thinkingLevel: _, thinkingBudget: __, ...rest } = preferred ?? {};
  const config = asked === undefined ? { ...preferred } : { ...rest, ...asked };
  return Object.keys(config).length > 0 ? { thinkingConfig: config } : {};
}
