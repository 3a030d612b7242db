import { isObject, parseJson } from "../../harness/json.ts";
import type { AgentWire } from "../../wire.ts";
import { blocksOf, fields, list, textOf } from "../fields.ts";

/** How agents speak it. SDKs of other vendors put no `v1` before the path. */
export const agent: AgentWire = {
  route: /\/messages$/,
  env: (server) => ({
    ANTHROPIC_BASE_URL: server,
    ANTHROPIC_API_URL: server,
    ANTHROPIC_API_KEY: "not-a-key",
  }),
  streams: ({ body }) => fields(parseJson(body))["stream"] === true,
  tools: (body) =>
    list(fields(body)["tools"]).flatMap(({ name, input_schema: inputSchema }) =>
      isObject(inputSchema) ? [{ name: String(name), inputSchema }] : [],
    ),
  results: (body) =>
    list(fields(body)["messages"])
      .flatMap(({ content }) => blocksOf(content))
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id: call, content }) => ({ call: String(call), text: textOf(content) })),
};
