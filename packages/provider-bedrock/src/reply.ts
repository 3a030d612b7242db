import type { ReplyReader } from "@fullstop/core";
import { defineReplyReader, type StopTable } from "@fullstop/core/adapter";
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
  /** `"optional"`: the host sends no `metadata`. `messageStop` then ends a reply without usage. */
  readonly metadata?: MetadataRule | undefined;
  /** `true`: the host reports cut replies as finished. Calls then need a usage below the cap. */
  readonly mislabelsTruncation?: boolean | undefined;
}

const missingEndHint = {
  afterStopReason: 'If this host sends no `metadata` event, set `metadata: "optional"`.',
};

/** Reads the replies of one model, for `createGate`, without the SDK of the vendor. */
export function bedrockReply(model: string, options: BedrockReplyOptions = {}): ReplyReader {
  const { metadata = "required", mislabelsTruncation } = options;
  return defineReplyReader<BedrockEvent>({
    provider: "bedrock",
    protocol: "bedrock-converse",
    model,
    stops: { ...stops, ...options.stops },
    errors,
    toolInputEnd: "explicit",
    readSent,
    ...(mislabelsTruncation && { mislabelsTruncation }),
    ...(metadata === "required" && { missingEndHint }),
    decoder: (emit) => createDecoder(emit, metadata),
  });
}
