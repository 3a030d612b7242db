import { isObject } from "../../harness/json.ts";
import type { AgentWire } from "../../wire.ts";
import { fields, list } from "../fields.ts";

/** How agents speak it. The AI SDK and LangChain read no variable for the server: such an agent must read one itself. */
export const agent: AgentWire = {
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
    list(fields(body)["tools"])
      .flatMap(({ functionDeclarations }) => list(functionDeclarations))
      .map(({ name, parametersJsonSchema, parameters }) => ({
        name: String(name),
        inputSchema: parametersJsonSchema ?? parameters ?? {},
      })),
  results: (body) =>
    list(fields(body)["contents"])
      .flatMap(({ parts }) => list(parts))
      .flatMap(({ functionResponse }) => (isObject(functionResponse) ? [functionResponse] : []))
      .map(({ id, name, response }) => ({
        call: String(id ?? name),
        text: JSON.stringify(response),
      })),
};
