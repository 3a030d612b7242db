import type { Service } from "@tooling/test/services";
import { startOllama } from "./ollama.ts";
import { modelfileOf, type OllamaReply } from "./ollama-replies.ts";
import { scriptedModel } from "./scripted-model.ts";

/** Starts Ollama with a model for each reply. Its name is the key of the reply. */
export function startWithReplies(
  replies: Readonly<Record<string, OllamaReply>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const models = Object.entries(replies).map(([name, reply]) => [name, modelfileOf(name, reply)]);
  return startOllama(scriptedModel(replies), Object.fromEntries(models), env);
}

/** The lines of an answer. */
export async function askWithoutAdapter(
  url: string,
  body: object,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}
