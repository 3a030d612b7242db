import type { ReplyReader } from "@fullstop/core";
import { defineReplyReader, type StopTable, unfinishedStops } from "@fullstop/core/adapter";
import { createDecoder, type MetadataRule } from "./decode.ts";
import { errors } from "./errors.ts";
import type { BedrockEvent } from "./events.ts";
import { readSent } from "./sent-request.ts";
import { stops } from "./stops.ts";

export type { MetadataRule } from "./decode.ts";
export { errors } from "./errors.ts";
export type { BedrockEvent } from "./events.ts";
export { readSent } from "./sent-request.ts";
export { stops } from "./stops.ts";

/** How a host of Converse differs from Amazon Bedrock in its replies. */
export interface BedrockReplyOptions {
  /** The host's own native stop reasons, added to the vendor's. */
  readonly stops?: StopTable | undefined;
  /**
   * `"optional"` if the host sends no `metadata` event. The `messageStop` then ends a reply, and a
   * reply without its usage counts as complete.
   */
  readonly metadata?: MetadataRule | undefined;
  /**
   * `true` if the host reports replies as finished although the output cap cut them.
   * A call then runs only if the usage is below the cap.
   */
  readonly mislabelsTruncation?: boolean | undefined;
}

const missingEndHint = {
  afterStopReason: 'If this host sends no `metadata` event, set `metadata: "optional"`.',
};

/**
 * Reads the replies of one model, for `createGate`. It does not load the vendor's SDK, so it suits
 * programs that send their requests themselves, such as workers.
 */
export function bedrockReply(model: string, options: BedrockReplyOptions = {}): ReplyReader {
  const { metadata = "required", mislabelsTruncation } = options;
  return defineReplyReader<BedrockEvent>({
    provider: "bedrock",
    protocol: "bedrock-converse",
    model,
    stops: { ...unfinishedStops, ...stops, ...options.stops },
    errors,
    toolInputEnd: "explicit",
    readSent,
    ...(mislabelsTruncation && { mislabelsTruncation }),
    ...(metadata === "required" && { missingEndHint }),
    decoder: (emit) => createDecoder(emit, metadata),
  });
}
