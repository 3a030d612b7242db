import { parseJson } from "../../harness/json.ts";
import type { AgentWire } from "../../wire.ts";
import { fields, list, textOf } from "../fields.ts";

/** The first is read by the vendor's SDKs, LangChain and the AI SDK, the others by LiteLLM, older LangChain and goose. */
export const openaiEnv = (server: string): Readonly<Record<string, string>> => ({
  OPENAI_BASE_URL: `${server}/v1`,
  OPENAI_API_BASE: `${server}/v1`,
  OPENAI_HOST: server,
  OPENAI_API_KEY: "not-a-key",
});

/** How agents speak it. */
export const agent: AgentWire = {
  route: /\/responses$/,
  env: openaiEnv,
  streams: ({ body }) => fields(parseJson(body))["stream"] === true,
  tools: (body) =>
    list(fields(body)["tools"]).flatMap(({ type, name, parameters }) =>
      type === "function" ? [{ name: String(name), inputSchema: parameters ?? {} }] : [],
    ),
  results: (body) =>
    list(fields(body)["input"])
      .filter(({ type }) => type === "function_call_output")
      .map(({ call_id: call, output }) => ({ call: String(call), text: textOf(output) })),
};
