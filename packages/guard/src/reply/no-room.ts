import { ProviderError } from "@fullstop/core";
import type { Failure } from "../protocols/protocol.ts";

const sentence =
  "Service unavailable: the requests that run now hold as much memory as they may together. Send the request again in a moment.";

/** The status of a request for which there is no room. */
export const noRoom: Failure = {
  status: 503,
  isRetryable: true,
  retryAfterMs: 1000,
  message: sentence,
};

/** What a reply for which there is no room ends with. */
export const noRoomError = (): ProviderError => new ProviderError(sentence, { kind: "overloaded" });
