import type { ReplyReader } from "@fullstop/core";
import { defineReplyReader, unfinishedStops } from "@fullstop/core/adapter";
import { errors } from "../errors.ts";
import type { HostReplyOptions } from "../reply-options.ts";
import { createInteractionsDecoder } from "./decode.ts";
import { interactionsErrors } from "./errors.ts";
import type { InteractionsEvent } from "./events.ts";
import { readSentInteraction } from "./sent-request.ts";
import { interactionsStops } from "./stops.ts";

/** Options for a reader of replies to requests of others. */
export interface InteractionsReaderOptions extends HostReplyOptions {
  readonly vertexai?: boolean | undefined;
}

/**
 * Reads the replies of one model over Interactions, for `createGate`. It does not load the vendor's
 * SDK. Set `vertexai` for Vertex AI: it and the Developer API refuse each other's signatures.
 */
export function interactionsReply(
  model: string,
  { vertexai, mislabelsTruncation, ...options }: InteractionsReaderOptions = {},
): ReplyReader {
  return defineReplyReader<InteractionsEvent>({
    provider: "google",
    protocol: vertexai ? "vertex-interactions" : "gemini-interactions",
    model,
    stops: { ...unfinishedStops, ...interactionsStops, ...options.stops },
    // Gateways and Vertex AI send the codes of generateContent.
    errors: { ...errors, ...interactionsErrors },
    toolInputEnd: "explicit",
    readSent: readSentInteraction,
    ...(mislabelsTruncation && { mislabelsTruncation }),
    decoder: createInteractionsDecoder,
  });
}
