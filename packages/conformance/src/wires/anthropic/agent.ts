import { isObject, tryParseJson } from "../../harness/json.ts";
import type { AgentWire } from "../../wire.ts";
import { blocksOf, contentText, fieldsOf, objectsIn } from "../fields.ts";

/** How agents use the protocol. SDKs of other vendors send no `v1` before the path. */
export const anthropicAgent: AgentWire = {
  route: /\/messages$/,
  env: (server) => ({
    ANTHROPIC_BASE_URL: server,
    ANTHROPIC_API_URL: server,
    ANTHROPIC_API_KEY: "not-a-key",
  }),
  streams: ({ body }) => fieldsOf(tryParseJson(body))["stream"] === true,
  tools: (body) =>
    objectsIn(fieldsOf(body)["tools"]).flatMap(({ name, input_schema: inputSchema }) =>
      isObject(inputSchema) ? [{ name: String(name), inputSchema }] : [],
    ),
  results: (body) =>
    objectsIn(fieldsOf(body)["messages"])
      .flatMap(({ content }) => blocksOf(content))
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id: call, content }) => ({
        call: String(call),
        text: contentText(content),
      })),
};
