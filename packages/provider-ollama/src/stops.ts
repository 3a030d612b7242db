import type { StopTable } from "@fullstop/core/adapter";

/**
 * The values of `done_reason`. The vendor's package types it as `string`, so these are from the
 * server's source: `DoneReason.String()` in `llm/server.go`, and `server/routes.go`. The server
 * sends none if the connection to the model closed early.
 * https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
 */
export type OllamaStop = "stop" | "length" | "load" | "unload";

/** What each `done_reason` means. */
export const stops: StopTable<OllamaStop> = {
  /** Also after calls: the API has no other value for them. */
  stop: "stop",
  /** Of servers that imitate the API, after calls (kooshi/llama-swappo#13). */
  tool_calls: "tool-use",
  /** The output cap, or a full context window. */
  length: "length",
  /** The model was loaded and wrote nothing: the request had no message for it (oh-my-pi#7465). */
  load: { stop: "error", error: "invalid-request" },
  /** The model was removed from memory: a request without messages, with `keep_alive: 0`. */
  unload: { stop: "error", error: "invalid-request" },
};
