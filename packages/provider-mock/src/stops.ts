import type { StopTable } from "@fullstop/core";
import type { ClaimedStop } from "@fullstop/core/adapter";

/** The mock's native stop reasons are the shared reasons. */
export const stops: StopTable<ClaimedStop> = {
  stop: "stop",
  "tool-use": "tool-use",
  length: "length",
  "context-window": "context-window",
  pause: "pause",
  refusal: "refusal",
  "content-filter": "content-filter",
  "malformed-tool-call": "malformed-tool-call",
  error: "error",
  unknown: "unknown",
};
