import { tryParseJson } from "../../harness/json.ts";
import type { AgentWire } from "../../wire.ts";
import { contentText, fieldsOf, objectsIn } from "../fields.ts";

/** The vendor's SDKs, LangChain and the AI SDK read the first variable. LiteLLM, older LangChain and goose read the others. */
export const openaiEnv = (server: string): Readonly<Record<string, string>> => ({
  OPENAI_BASE_URL: `${server}/v1`,
  OPENAI_API_BASE: `${server}/v1`,
  OPENAI_HOST: server,
  OPENAI_API_KEY: "not-a-key",
});

/** How agents use the protocol. */
export const responsesAgent: AgentWire = {
  route: /\/responses$/,
  env: openaiEnv,
  streams: ({ body }) => fieldsOf(tryParseJson(body))["stream"] === true,
  tools: (body) =>
    objectsIn(fieldsOf(body)["tools"]).flatMap(({ type, name, parameters }) =>
      type === "function" ? [{ name: String(name), inputSchema: parameters ?? {} }] : [],
    ),
  results: (body) =>
    objectsIn(fieldsOf(body)["input"])
      .filter(({ type }) => type === "function_call_output")
      .map(({ call_id: call, output }) => ({ call: String(call), text: contentText(output) })),
};
