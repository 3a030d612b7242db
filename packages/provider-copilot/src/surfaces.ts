import type { Adapter, Endpoint } from "@fullstop/core";
import type { OutputFormatOption } from "@fullstop/core/adapter";
import { type AnthropicOptions, anthropic } from "@fullstop/provider-anthropic/protocol";
import {
  type ChatOptions,
  chatAdapter,
  chatCallIds,
  clientOptions,
  type ResponsesOptions,
  responsesAdapter,
} from "@fullstop/provider-openai/protocol";
import {
  type CopilotReplyOptions,
  chatReplyHost,
  responsesReplyHost,
  type Surface,
  toCopilot,
} from "./readers.ts";
import { endedByUser } from "./requests.ts";

/** Options of a surface, besides its endpoint. */
export interface SurfaceOptions extends CopilotReplyOptions {
  /**
   * Parameters of each surface's protocol, sent with every request. The request's own values win.
   */
  readonly params?:
    | {
        readonly chat?: ChatOptions["params"];
        readonly responses?: ResponsesOptions["params"];
        readonly messages?: AnthropicOptions["params"];
      }
    | undefined;
  /** Output caps in tokens. The default for Claude is 16,000. */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` requests the reply in one piece. The default is `true`. */
  readonly stream?: boolean | undefined;
  /**
   * When Copilot takes the format of the model's protocol for an object. It documents none, so by
   * default an object is requested as the input of a tool.
   */
  readonly outputFormat?: OutputFormatOption | undefined;
}

type CreateAdapter = (model: string, endpoint: Endpoint, options: SurfaceOptions) => Adapter;

export const surfaces: Readonly<Record<Surface, CreateAdapter>> = {
  chat: (model, endpoint, { params, ...options }) => {
    const adapter = chatAdapter(
      {
        ...chatReplyHost(model),
        callIds: chatCallIds,
        clientOptions: () => clientOptions(endpoint, noAccount),
      },
      { ...options, params: params?.chat },
    );
    return { ...adapter, open: (request, signal) => adapter.open(endedByUser(request), signal) };
  },
  responses: (model, endpoint, { params, ...options }) =>
    responsesAdapter(
      { ...responsesReplyHost(model), clientOptions: () => clientOptions(endpoint, noAccount) },
      { ...options, params: params?.responses },
    ),
  messages: (model, endpoint, { params, ...options }) =>
    toCopilot(
      anthropic(model, {
        ...endpoint,
        ...options,
        maxTokens: options.maxTokens ?? claudeMaxTokens,
        outputFormat: options.outputFormat ?? "never",
        params: params?.messages,
      }),
    ),
};

/** Keeps the SDK from sending OpenAI's account from the environment. */
const noAccount = { organization: null, project: null } as const;

/** The lowest of Copilot's limits for the output of Claude models. */
const claudeMaxTokens = { default: 16_000 } as const;
