import type { ClaimedStop, StopTable } from "@fullstop/core/adapter";

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
