import { ProviderError } from "@fullstop/core";
import type { Failure } from "../protocols/protocol.ts";

const sentence =
  "Service unavailable: the requests that run now use all of the memory that they may use together. Send the request again in a moment.";

export const noRoom: Failure = {
  status: 503,
  isRetryable: true,
  retryAfterMs: 1000,
  message: sentence,
};

export const noRoomError = (): ProviderError => new ProviderError(sentence, { kind: "overloaded" });
