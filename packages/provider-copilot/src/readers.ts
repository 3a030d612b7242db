import type { ReplyReader } from "@fullstop/core";
import type { ErrorTable, StopTable } from "@fullstop/core/adapter";
import { anthropicReply } from "@fullstop/provider-anthropic/reply";
import {
  type ChatReplyHost,
  chatErrors,
  chatReply,
  type ResponsesReplyHost,
  responsesReply,
} from "@fullstop/provider-openai/reply";

/** The protocols that Copilot speaks. Each model has one of them. */
export type Surface = "chat" | "responses" | "messages";

/** How replies of Copilot are read. */
export interface CopilotReplyOptions {
  /**
   * The protocol. By default `messages` for Claude 4 and later, `responses` for GPT-5 and later,
   * and `chat` for all other models.
   */
  readonly surface?: Surface | undefined;
  /** Further native stop reasons, added to those of the protocol. */
  readonly stops?: StopTable | undefined;
  /**
   * `true` if replies pass a gateway that reports cut replies as finished. A call then runs only if
   * the usage is below the output cap.
   */
  readonly mislabelsTruncation?: boolean | undefined;
}

const provider = "copilot";

/**
 * Copilot's own codes. https://github.com/ericc-ch/copilot-api and microsoft/vscode-copilot-chat
 */
const errors: ErrorTable = {
  model_max_prompt_tokens_exceeded: "context-window",
  quota_exceeded: "billing",
  model_not_supported: "invalid-request",
  user_global_rate_limited: "rate-limit",
};

export const chatReplyHost = (model: string): ChatReplyHost => ({
  provider,
  model,
  errors: { ...chatErrors, ...errors },
  quirks: { mergesChoices: true, reasoningTokens: "counted" },
  missingEndHint:
    'Claude sends no stop reason over chat (copilot-sdk#1081): set `surface: "messages"`.',
});

export const responsesReplyHost = (model: string): ResponsesReplyHost => ({
  provider,
  model,
  errors,
});

/** Turns a reader or an adapter of Anthropic's protocol into one of Copilot. */
export const toCopilot = <Reader extends ReplyReader>(reader: Reader): Reader => ({
  ...reader,
  provider,
  errors: { ...reader.errors, ...errors },
});

const readers: Readonly<
  Record<Surface, (model: string, options: CopilotReplyOptions) => ReplyReader>
> = {
  chat: (model, options) => chatReply(chatReplyHost(model), options),
  responses: (model, options) => responsesReply(responsesReplyHost(model), options),
  messages: (model, options) => toCopilot(anthropicReply(model, options)),
};

/**
 * Reads the replies of one model, for `createGate`. It does not load an SDK, so it suits programs
 * that send their requests themselves, such as workers.
 */
export const copilotReply = (model: string, options: CopilotReplyOptions = {}): ReplyReader =>
  readers[options.surface ?? surfaceOf(model)](model, options);

/** The first pattern that matches the model's name counts. */
const families: readonly (readonly [RegExp, Surface])[] = [
  [/^claude-(?!3)/, "messages"],
  [/^gpt-5(?!-chat)|^gpt-[6-9]|codex/, "responses"],
];
export const surfaceOf = (model: string): Surface =>
  families.find(([pattern]) => pattern.test(model))?.[1] ?? "chat";
