import type { StopMeaning } from "../reading.ts";

/** https://github.com/ollama/ollama: `llm/server.go` and `server/routes.go`. */
export const ollamaMeanings: Readonly<Record<string, StopMeaning>> = {
  stop: "stop",
  length: "length",
  load: "error",
  unload: "error",
};
export const ollamaStops: readonly string[] = [...Object.keys(ollamaMeanings), "surprise"];
export const ollamaMeaning = (stop: string): StopMeaning => ollamaMeanings[stop] ?? "unknown";
