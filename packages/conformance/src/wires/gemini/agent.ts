import { isObject } from "../../harness/json.ts";
import type { AgentWire } from "../../wire.ts";
import { geminiModels } from "../models.ts";
import { contentText, type Fields, fieldsOf, objectsIn } from "../shared.ts";
import { toCamelKeys } from "./spelling.ts";

/** The members of a body, in one spelling. */
const readFields = (body: unknown): Fields => fieldsOf(toCamelKeys(body));

/**
 * How agents use the protocol. The AI SDK and LangChain read no variable for the server, so such an
 * agent must read one itself.
 */
export const geminiAgent: AgentWire = {
  route: /:(streamG|g)enerateContent$/,
  env: (server) => ({
    GOOGLE_GEMINI_BASE_URL: server,
    GOOGLE_API_KEY: "not-a-key",
    GEMINI_API_KEY: "not-a-key",
    GOOGLE_GENERATIVE_AI_API_KEY: "not-a-key",
    GOOGLE_GENAI_USE_VERTEXAI: "false",
  }),
  streams: ({ path }) => path.endsWith(":streamGenerateContent"),
  tools: (body) =>
    objectsIn(readFields(body)["tools"])
      .flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations))
      .map(({ name, parametersJsonSchema, parameters }) => ({
        name: String(name),
        inputSchema: parametersJsonSchema ?? parameters ?? {},
      })),
  results: (body) =>
    objectsIn(readFields(body)["contents"])
      .flatMap(({ parts }) => objectsIn(parts))
      .flatMap(({ functionResponse }) => (isObject(functionResponse) ? [functionResponse] : []))
      .map(({ id, name, response }) => ({
        call: String(id ?? name),
        text: JSON.stringify(response),
      })),
  opening: (body) => {
    const { systemInstruction, contents } = readFields(body);
    const first = objectsIn(contents).find(({ role }) => role !== "model");
    return {
      system: contentText(fieldsOf(systemInstruction)["parts"]),
      firstMessage: contentText(first?.["parts"]),
    };
  },
  models: geminiModels,
};
