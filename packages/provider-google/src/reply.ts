import type { ReplyReader } from "@fullstop/core";
import { defineReplyReader, unfinishedStops } from "@fullstop/core/adapter";
import {
  createDecoder,
  type FinishReasonOn,
  type GoogleEvent,
  type RequestedCandidates,
} from "./decode.ts";
import { errors } from "./errors.ts";
import type { HostReplyOptions } from "./reply-options.ts";
import { readSent } from "./sent-request.ts";
import { stops } from "./stops.ts";

export { ceilingOf } from "./ceiling.ts";
export { type FinishReasonOn, type GoogleEvent, parseGoogle } from "./decode.ts";
export { errors } from "./errors.ts";
export { interactionsErrors } from "./interactions/errors.ts";
export { type InteractionsEvent, parseInteractions } from "./interactions/events.ts";
export { type InteractionsReaderOptions, interactionsReply } from "./interactions/reply.ts";
export { readSentInteraction } from "./interactions/sent-request.ts";
export { interactionsStops } from "./interactions/stops.ts";
export type { HostReplyOptions } from "./reply-options.ts";
export { readSent } from "./sent-request.ts";
export { stops } from "./stops.ts";

/** How a host of this protocol differs from Google's API in its replies. */
export interface GoogleReplyOptions extends HostReplyOptions {
  /**
   * `"every-chunk"` if the host puts a finish reason on every chunk with content. The last one then
   * counts, and a reply that is cut between two chunks reads as complete.
   */
  readonly finishReason?: FinishReasonOn | undefined;
}

/** Options for a reader of replies to requests of others. */
export interface GoogleReaderOptions extends GoogleReplyOptions {
  readonly vertexai?: boolean | undefined;
  /** `"any"` if the request asks for several candidates: a call may be in one that is not read. */
  readonly requested?: RequestedCandidates | undefined;
}

const missingEndHint =
  'If this host puts a finish reason on every chunk, set `finishReason: "every-chunk"`.';

/**
 * Reads the replies of one model, for `createGate`. It does not load the vendor's SDK, so it suits
 * programs that send their requests themselves, such as workers.
 * Set `vertexai` for Vertex AI: it and the Developer API refuse each other's signatures.
 */
export function googleReply(model: string, options: GoogleReaderOptions = {}): ReplyReader {
  const { vertexai, finishReason, mislabelsTruncation, requested } = options;
  return defineReplyReader<GoogleEvent>({
    provider: "google",
    protocol: vertexai ? "vertex-generate-content" : "gemini-generate-content",
    model,
    stops: { ...unfinishedStops, ...stops, ...options.stops },
    errors,
    toolInputEnd: "explicit",
    readSent,
    ...(mislabelsTruncation && { mislabelsTruncation }),
    missingEndHint,
    decoder: (emit) => createDecoder(emit, finishReason, requested),
  });
}
