import type { ReplyReader } from "@fullstop/core";
import { defineReplyReader, type StopTable, unfinishedStops } from "@fullstop/core/adapter";
import { createDecoder, type OllamaEvent } from "./decode.ts";
import { errors } from "./errors.ts";
import { readSent } from "./sent-request.ts";
import { stops } from "./stops.ts";

export type { OllamaCall, OllamaEvent } from "./decode.ts";
export { errors, type OllamaErrorCode } from "./errors.ts";
export { readSent } from "./sent-request.ts";
export { type OllamaStop, stops } from "./stops.ts";

/** How a server of this protocol differs from Ollama in its replies. */
export interface OllamaReplyOptions {
  /** The server's own native stop reasons, added to the vendor's. */
  readonly stops?: StopTable | undefined;
  /**
   * `true` if the server reports replies as finished although the output cap cut them. A call then
   * runs only if the usage is below the cap.
   */
  readonly mislabelsTruncation?: boolean | undefined;
}

/**
 * Reads the replies of one model, for `createGate`. Push the parsed lines, or the whole reply. For
 * programs that send their requests themselves.
 */
export function ollamaReply(model: string, options: OllamaReplyOptions = {}): ReplyReader {
  return defineReplyReader<OllamaEvent>({
    provider: "ollama",
    protocol: "ollama-chat",
    model,
    stops: { ...unfinishedStops, ...stops, ...options.stops },
    errors,
    toolInputEnd: "explicit",
    readSent,
    missingEndHint: "The log of `ollama serve` may say why, such as a model that repeated a token.",
    ...(options.mislabelsTruncation && { mislabelsTruncation: true }),
    decoder: (emit) => createDecoder(emit, model),
  });
}
