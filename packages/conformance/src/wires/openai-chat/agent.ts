import { tryParseJson } from "../../harness/json.ts";
import type { AgentWire } from "../../wire.ts";
import { contentText, fieldsOf, objectsIn } from "../fields.ts";
import { openaiEnv } from "../openai-responses/agent.ts";

/** How agents use the protocol. */
export const chatAgent: AgentWire = {
  route: /\/chat\/completions$/,
  env: openaiEnv,
  streams: ({ body }) => fieldsOf(tryParseJson(body))["stream"] === true,
  tools: (body) =>
    objectsIn(fieldsOf(body)["tools"]).flatMap((tool) => {
      const { name, parameters } = fieldsOf(tool["function"]);
      return typeof name === "string" ? [{ name, inputSchema: parameters ?? {} }] : [];
    }),
  results: (body) =>
    objectsIn(fieldsOf(body)["messages"])
      .filter(({ role }) => role === "tool")
      .map(({ tool_call_id: call, content }) => ({
        call: String(call),
        text: contentText(content),
      })),
};
