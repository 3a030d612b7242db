import type { TurnRequest } from "@fullstop/core";
import { functionSchema, type OfferedTool } from "@fullstop/core/adapter";
import type { AutomaticContinuationOption, Interactions } from "@google/genai";
import { findContinuation } from "../encode.ts";
import { thinkingConfig } from "../models.ts";
import { encodeSteps } from "./history.ts";

type ModelInteraction = Interactions.InteractionCreateParams.CreateModelInteractionParams;
type Config = Interactions.GenerationConfig;

/**
 * Parameters of the API, sent with every request. The request's own values win. Those that make the
 * API keep the conversation are not among them.
 */
export interface InteractionsParams
  extends Pick<
    ModelInteraction,
    | "cached_content"
    | "labels"
    | "response_format"
    | "response_modalities"
    | "safety_settings"
    | "service_tier"
  > {
  /** Without the output cap, which belongs in `maxTokens`. */
  readonly generation_config?: Omit<Config, "max_output_tokens"> | undefined;
}

/** What the adapter sends: a model's interaction, and how the SDK continues it. */
export type SentInteraction = ModelInteraction & AutomaticContinuationOption;

interface InteractionTarget {
  readonly model: string;
  /** In tokens: the output cap if the request has none. */
  readonly cap: number;
  readonly params?: InteractionsParams | undefined;
}

/** Encodes a request for the SDK, with its whole history. Every valid history can be encoded. */
export function encodeInteraction(
  request: TurnRequest,
  { model, cap, params = {} }: InteractionTarget,
): SentInteraction {
  const { system, maxTokens = cap, output, tools = [] } = request;
  const { messages, token } = findContinuation(request.messages);
  return {
    ...params,
    model,
    input: encodeSteps(messages, model) as Interactions.Step[],
    store: false,
    // Otherwise the SDK itself repeats an unfinished request, which budgets, aborts and usage do not
    // see.
    automatic_continuation: false,
    generation_config: {
      ...params.generation_config,
      ...levelFor(request, { model, cap: maxTokens }),
      ...toolChoiceParams(request),
      max_output_tokens: maxTokens,
    },
    ...(system !== undefined && system !== "" && { system_instruction: system }),
    ...(tools.length > 0 && { tools: tools.map(encodeTool) }),
    ...(output !== undefined && {
      response_format: {
        type: "text",
        mime_type: "application/json",
        schema: { type: "object", ...output.schema },
      },
    }),
    ...(token !== undefined && { continuation_token: token }),
  };
}

/** The API has levels and no budgets, so models with budgets are not asked. */
function levelFor(
  { effort }: TurnRequest,
  target: Parameters<typeof thinkingConfig>[1],
): Pick<Config, "thinking_level"> {
  const { thinkingLevel } = effort === undefined ? {} : thinkingConfig(effort, target);
  return thinkingLevel === undefined ? {} : { thinking_level: thinkingLevel.toLowerCase() };
}

const toolChoices: Readonly<Record<"auto" | "none" | "required", string>> = {
  auto: "auto",
  none: "none",
  required: "any",
};

function toolChoiceParams({ toolChoice, tools = [] }: TurnRequest): Pick<Config, "tool_choice"> {
  if (toolChoice === undefined || tools.length === 0) return {};
  return {
    tool_choice:
      typeof toolChoice === "string"
        ? toolChoices[toolChoice]
        : { allowed_tools: { mode: toolChoices.required, tools: [toolChoice.name] } },
  };
}

/** Tools that Google defines are sent verbatim. */
const encodeTool = (tool: OfferedTool): Interactions.Tool =>
  "provider" in tool
    ? (tool.definition as Interactions.Tool)
    : {
        type: "function",
        name: tool.name,
        description: tool.description,
        parameters: functionSchema(tool.inputSchema),
      };
