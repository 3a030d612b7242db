import type { Meaning } from "../reading.ts";

/** Reasons of an incomplete response. https://platform.openai.com/docs/api-reference/responses/object */
const details: Readonly<Record<string, Meaning>> = {
  max_output_tokens: "length",
  max_messages: "length",
  content_filter: "content-filter",
  steered: "pause",
};
const statuses: Readonly<Record<string, Meaning>> = {
  completed: "stop",
  incomplete: "unknown",
  failed: "error",
  cancelled: "error",
};

/** Statuses as they are written: with the reason behind a colon. */
export const words: readonly string[] = [
  "completed",
  "incomplete:max_output_tokens",
  "incomplete:content_filter",
  "incomplete:steered",
  "incomplete",
  "failed",
  "surprise",
];
export function meaningOf(status: string, detail: string | undefined): Meaning {
  if (status === "incomplete" && detail !== undefined) return details[detail] ?? "unknown";
  return statuses[status] ?? "unknown";
}
