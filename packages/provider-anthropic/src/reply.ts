import type { ReplyReader } from "@fullstop/core";
import { defineReplyReader } from "@fullstop/core/adapter";
import { type AnthropicEvent, createDecoder } from "./decode.ts";
import { type AnthropicDialectName, type HostReplies, parseDialect } from "./dialects.ts";
import { errors } from "./errors.ts";
import { readSent } from "./sent-request.ts";
import { stops } from "./stops.ts";

export { type AnthropicEvent, parseAnthropic } from "./decode.ts";
export {
  type AnthropicDialect,
  type AnthropicDialectName,
  dialects,
  type HostReplies,
} from "./dialects.ts";
export { errors } from "./errors.ts";
export { readSent } from "./sent-request.ts";
export { stops } from "./stops.ts";

/** How a host of this protocol differs from Anthropic's API in its replies. */
export interface AnthropicReplyOptions extends HostReplies {
  /** The host, if it has a name. What the other options say counts more. */
  readonly dialect?: AnthropicDialectName | undefined;
}

const missingEndHint = {
  afterStopReason: 'If this host never sends `message_stop`, set `messageStop: "optional"`.',
};

/**
 * Reads the replies of one model, for `createGate`. It does not load the vendor's SDK, so it suits
 * programs that send their requests themselves, such as workers.
 * @throws TypeError if no dialect has this name.
 */
export function anthropicReply(
  model: string,
  { dialect, ...options }: AnthropicReplyOptions = {},
): ReplyReader {
  const row = dialect === undefined ? undefined : parseDialect(dialect);
  const {
    messageStop = row?.messageStop ?? "required",
    blocks = row?.blocks ?? "strict",
    mislabelsTruncation = row?.mislabelsTruncation,
    unsignedThinking = row?.unsignedThinking ?? false,
  } = options;
  const hint = row?.serves?.models.test(model) === false ? row.serves.otherwise : missingEndHint;
  return defineReplyReader<AnthropicEvent>({
    provider: dialect ?? "anthropic",
    protocol: "anthropic-messages",
    model,
    stops: { ...stops, ...row?.stops, ...options.stops },
    errors,
    toolInputEnd: "explicit",
    capRequired: true,
    readSent,
    ...(mislabelsTruncation && { mislabelsTruncation }),
    ...(messageStop === "required" && { missingEndHint: hint }),
    decoder: (emit) => createDecoder(emit, { messageStop, blocks, unsignedThinking }),
  });
}
