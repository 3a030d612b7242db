import type { Meaning } from "../reading.ts";

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
export const meanings: Readonly<Record<string, Meaning>> = {
  end_turn: "stop",
  tool_use: "tool-use",
  max_tokens: "length",
  model_context_window_exceeded: "context-window",
  pause_turn: "pause",
  refusal: "refusal",
  stop_sequence: "sequence",
};
export const words: readonly string[] = [...Object.keys(meanings), "surprise"];
/** A stop sequence is why it ended, though the word says that it finished. */
export function meaningsOf(word: string, sequence: unknown): readonly Meaning[] {
  const meaning = meanings[word] ?? "unknown";
  if (typeof sequence !== "string" || sequence === "") return [meaning];
  return meaning === "stop" || meaning === "tool-use" ? ["sequence"] : [meaning, "sequence"];
}
