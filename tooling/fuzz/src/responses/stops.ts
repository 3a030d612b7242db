import type { StopMeaning } from "../reading.ts";

/**
 * Reasons of an incomplete response.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
const detailMeanings: Readonly<Record<string, StopMeaning>> = {
  max_output_tokens: "length",
  max_messages: "length",
  content_filter: "content-filter",
  steered: "pause",
};
const statusMeanings: Readonly<Record<string, StopMeaning>> = {
  completed: "stop",
  incomplete: "unknown",
  failed: "error",
  cancelled: "error",
};

/** A status, with the incomplete reason after a colon. */
export const responsesStops: readonly string[] = [
  "completed",
  "incomplete:max_output_tokens",
  "incomplete:content_filter",
  "incomplete:steered",
  "incomplete",
  "failed",
  "surprise",
];
export function responsesMeaning(status: string, detail: string | undefined): StopMeaning {
  if (status === "incomplete" && detail !== undefined) return detailMeanings[detail] ?? "unknown";
  return statusMeanings[status] ?? "unknown";
}
