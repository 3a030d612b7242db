import type { StopMeaning } from "../reading.ts";

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
export const anthropicMeanings: Readonly<Record<string, StopMeaning>> = {
  end_turn: "stop",
  tool_use: "tool-use",
  max_tokens: "length",
  model_context_window_exceeded: "context-window",
  pause_turn: "pause",
  refusal: "refusal",
  stop_sequence: "sequence",
};
export const anthropicStops: readonly string[] = [...Object.keys(anthropicMeanings), "surprise"];
/** A stop sequence ended the reply, even if the stop reason says `end_turn`. */
export function anthropicMeaningsOf(stop: string, sequence: unknown): readonly StopMeaning[] {
  const meaning = anthropicMeanings[stop] ?? "unknown";
  if (typeof sequence !== "string" || sequence === "") return [meaning];
  return meaning === "stop" || meaning === "tool-use" ? ["sequence"] : [meaning, "sequence"];
}
