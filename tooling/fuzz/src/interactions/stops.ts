import type { StopMeaning } from "../reading.ts";

/** https://ai.google.dev/gemini-api/docs/interactions */
const meanings: Readonly<Record<string, StopMeaning>> = {
  completed: "stop",
  requires_action: "tool-use",
  incomplete: "length",
  budget_exceeded: "length",
  requires_continuation: "pause",
  failed: "error",
  cancelled: "error",
};
/** The interaction goes on, so these are not the reason of an end. */
const running: ReadonlySet<unknown> = new Set(["in_progress", "queued"]);

export const interactionsStops: readonly string[] = [
  ...Object.keys(meanings),
  ...(running as ReadonlySet<string>),
  "surprise",
];
export const isRunning = (status: unknown): boolean => running.has(status);
export const interactionsMeaning = (status: string): StopMeaning => meanings[status] ?? "unknown";
