import type { Adapter, Endpoint, StopTable } from "@fullstop/core";
import type { ErrorTable } from "@fullstop/core/adapter";
import { type AnthropicOptions, anthropic } from "@fullstop/provider-anthropic/protocol";
import {
  type ChatOptions,
  chatAdapter,
  chatCallIds,
  createClient,
  type ResponsesOptions,
  responsesAdapter,
} from "@fullstop/provider-openai/protocol";
import { endedByUser } from "./requests.ts";

/** The protocols that Copilot speaks, each for models of its own. */
export type Surface = "chat" | "responses" | "messages";

/** What is said to a surface beside its endpoint; parameters are those of its protocol. */
export interface SurfaceOptions {
  /** Parameters that go with every request, by the surface that takes them. What a request itself says counts more. */
  readonly params?:
    | {
        readonly chat?: ChatOptions["params"];
        readonly responses?: ResponsesOptions["params"];
        readonly messages?: AnthropicOptions["params"];
      }
    | undefined;
  /** Words beside those that are listed. */
  readonly stops?: StopTable | undefined;
  /** Output caps in tokens. */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` asks for the reply in one piece. */
  readonly stream?: boolean | undefined;
  /** `true` if replies go through a gateway that mislabels truncated ones: calls then need a usage below the cap, so give `maxTokens` too. */
  readonly mislabelsTruncation?: boolean | undefined;
}

export const provider = "copilot";

/** https://github.com/ericc-ch/copilot-api and microsoft/vscode-copilot-chat */
const errors: ErrorTable = {
  model_max_prompt_tokens_exceeded: "context-window",
  quota_exceeded: "billing",
  model_not_supported: "invalid-request",
  user_global_rate_limited: "rate-limit",
};

type Build = (model: string, endpoint: Endpoint, options: SurfaceOptions) => Adapter;

export const surfaces: Readonly<Record<Surface, Build>> = {
  chat: (model, endpoint, { params, stops, ...options }) => {
    const adapter = chatAdapter(
      {
        ...{
          provider,
          model,
          callIds: chatCallIds,
          errors,
          quirks: { mergesChoices: true, reasoningTokens: "counted" },
        },
        stops: { error: "error" },
        missingEndHint:
          'Claude does not say over chat why it ends (copilot-sdk#1081): ask for it with `surface: "messages"`.',
        connect: () => createClient(endpoint, foreign),
      },
      { ...options, params: params?.chat, stops },
    );
    return { ...adapter, open: (request, signal) => adapter.open(endedByUser(request), signal) };
  },
  responses: (model, endpoint, { params, ...options }) =>
    responsesAdapter(
      { provider, model, errors, connect: () => createClient(endpoint, foreign) },
      { ...options, params: params?.responses },
    ),
  messages: (model, endpoint, { params, ...options }) => {
    const adapter = anthropic(model, {
      ...endpoint,
      ...options,
      maxTokens: options.maxTokens ?? claudeCap,
      params: params?.messages,
    });
    return { ...adapter, provider, errors: { ...adapter.errors, ...errors } };
  },
};

/** OpenAI's account is not Copilot's. */
const foreign = { organization: null, project: null } as const;

/** What Copilot lets Claude write at once, the least of its limits. */
const claudeCap = { default: 16_000 } as const;

/** The first pattern that fits the model's name. */
const families: readonly (readonly [RegExp, Surface])[] = [
  [/^claude-(?!3)/, "messages"],
  [/^gpt-5(?!-chat)|^gpt-[6-9]|codex/, "responses"],
];
export const surfaceOf = (model: string): Surface =>
  families.find(([pattern]) => pattern.test(model))?.[1] ?? "chat";
