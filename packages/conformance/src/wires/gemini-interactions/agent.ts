import { tryParseJson } from "../../harness/json.ts";
import type { AgentWire } from "../../wire.ts";
import { geminiAgent } from "../gemini/agent.ts";
import { geminiModels } from "../models.ts";
import { contentText, fieldsOf, objectsIn, textsOf } from "../shared.ts";
import { interactionsHeld } from "./held.ts";
import { inputSteps } from "./turns.ts";

/** A result is a text, a list of texts and media, or any other JSON. */
const resultText = (result: unknown): string =>
  typeof result === "string" || Array.isArray(result)
    ? contentText(result)
    : JSON.stringify(result ?? null);

/** How agents use the protocol. The SDKs are those of generateContent. */
export const interactionsAgent: AgentWire = {
  route: /\/interactions$/,
  env: geminiAgent.env,
  streams: ({ body }) => fieldsOf(tryParseJson(body))["stream"] === true,
  tools: (body) =>
    objectsIn(fieldsOf(body)["tools"])
      .filter(({ type }) => type === "function")
      .map(({ name, parameters }) => ({ name: String(name), inputSchema: parameters ?? {} })),
  results: (body) =>
    inputSteps(fieldsOf(body)["input"])
      .filter(({ type }) => type === "function_result")
      .map(({ call_id: call, result }) => ({ call: String(call), text: resultText(result) })),
  opening: (body) => {
    const { system_instruction: system, input } = fieldsOf(body);
    const isKept = interactionsHeld.previousReply(body) !== undefined;
    const first = inputSteps(input).find(({ type }) => type === "user_input");
    return {
      system: typeof system === "string" ? system : "",
      firstMessage: isKept ? "" : contentText(first?.["content"]),
    };
  },
  models: geminiModels,
  replyIds: (event) => {
    const { id, interaction_id: of, interaction } = fieldsOf(event);
    return textsOf(id, of, fieldsOf(interaction)["id"]).filter((text) => text !== "");
  },
  held: interactionsHeld,
};
