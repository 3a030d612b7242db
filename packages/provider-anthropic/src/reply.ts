import type { ReplyReader } from "@fullstop/core";
import { defineReplyReader, unfinishedStops } from "@fullstop/core/adapter";
import { type AnthropicEvent, createDecoder } from "./decode.ts";
import type { HostReplies, NamedAnthropicDialect } from "./dialects.ts";
import { errors } from "./errors.ts";
import { readSent } from "./sent-request.ts";
import { stops } from "./stops.ts";

export { type AnthropicEvent, parseAnthropic } from "./decode.ts";
export {
  type AnthropicDialect,
  type AnthropicDialectName,
  dialectNamed,
  dialects,
  type HostReplies,
  type NamedAnthropicDialect,
} from "./dialects.ts";
export { errors } from "./errors.ts";
export { readSent } from "./sent-request.ts";
export { stops } from "./stops.ts";

/**
 * The most output tokens that a model accepts.
 * https://platform.claude.com/docs/en/about-claude/models/overview
 */
export const ceilingOf = (model: string): number =>
  /claude-[a-z]+-5(?!\d)/.test(model) ? 128_000 : 64_000;

/** How a host of this protocol differs from Anthropic's API in its replies. */
export interface AnthropicReplyOptions extends HostReplies {
  /** The host, if it has a name: `dialectNamed("glm")`. What the other options say counts more. */
  readonly dialect?: NamedAnthropicDialect | undefined;
}

const missingEndHint = {
  afterStopReason:
    'If this host never sends `message_stop` behind the stop reason, set `messageStop: "optional"`.',
};

/**
 * Reads the replies of one model, for `createGate`. It does not load the vendor's SDK, so it suits
 * programs that send their requests themselves, such as workers.
 */
export function anthropicReply(
  model: string,
  { dialect, ...options }: AnthropicReplyOptions = {},
): ReplyReader {
  const {
    messageStop = dialect?.messageStop ?? "required",
    blocks = dialect?.blocks ?? "strict",
    mislabelsTruncation = dialect?.mislabelsTruncation,
    unsignedThinking = dialect?.unsignedThinking ?? false,
  } = options;
  const hint =
    dialect?.serves?.models.test(model) === false ? dialect.serves.otherwise : missingEndHint;
  return defineReplyReader<AnthropicEvent>({
    provider: dialect?.provider ?? "anthropic",
    protocol: "anthropic-messages",
    model,
    stops: { ...unfinishedStops, ...stops, ...dialect?.stops, ...options.stops },
    errors,
    toolInputEnd: "explicit",
    capRequired: true,
    readSent,
    ...(mislabelsTruncation && { mislabelsTruncation }),
    ...(messageStop === "required" && { missingEndHint: hint }),
    decoder: (emit) => createDecoder(emit, { messageStop, blocks, unsignedThinking }),
  });
}
