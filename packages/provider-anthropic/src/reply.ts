import type { ReplyReader, StopTable } from "@fullstop/core";
import { defineReplyReader } from "@fullstop/core/adapter";
import { type AnthropicEvent, createDecoder } from "./decode.ts";
import { errors } from "./errors.ts";
import { readSent } from "./sent-request.ts";
import { stops } from "./stops.ts";

export { type AnthropicEvent, parseAnthropic } from "./decode.ts";
export { errors } from "./errors.ts";
export { readSent } from "./sent-request.ts";
export { stops } from "./stops.ts";

/** How a host of this protocol differs from Anthropic's API in its replies. */
export interface AnthropicReplyOptions {
  /** The host's own native stop reasons, added to the vendor's. */
  readonly stops?: StopTable | undefined;
  /** `"optional"` if the host never sends `message_stop`: its `message_delta` then ends a reply. */
  readonly messageStop?: "required" | "optional" | undefined;
  /**
   * `"loose"` if the host skips indices of content blocks, or ends blocks that it never started.
   * A lost block is then not noticed.
   */
  readonly blocks?: "strict" | "loose" | undefined;
  /**
   * `true` if the host reports replies as finished although the output cap cut them.
   * A call then runs only if the usage is below the cap.
   */
  readonly mislabelsTruncation?: boolean | undefined;
}

const missingEndHint = {
  afterStopReason: 'If this host never sends `message_stop`, set `messageStop: "optional"`.',
};

/**
 * Reads the replies of one model, for `createGate`. It does not load the vendor's SDK, so it suits
 * programs that send their requests themselves, such as workers.
 */
export function anthropicReply(model: string, options: AnthropicReplyOptions = {}): ReplyReader {
  const { messageStop = "required", blocks = "strict", mislabelsTruncation } = options;
  return defineReplyReader<AnthropicEvent>({
    provider: "anthropic",
    protocol: "anthropic-messages",
    model,
    stops: { ...stops, ...options.stops },
    errors,
    toolInputEnd: "explicit",
    capRequired: true,
    readSent,
    ...(mislabelsTruncation && { mislabelsTruncation }),
    ...(messageStop === "required" && { missingEndHint }),
    decoder: (emit) => createDecoder(emit, { messageStop, blocks }),
  });
}
