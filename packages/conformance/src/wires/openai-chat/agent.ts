import { parseJson } from "../../harness/json.ts";
import type { AgentWire } from "../../wire.ts";
import { fields, list, textOf } from "../fields.ts";
import { openaiEnv } from "../openai-responses/agent.ts";

/** How agents speak it. */
export const agent: AgentWire = {
  route: /\/chat\/completions$/,
  env: openaiEnv,
  streams: ({ body }) => fields(parseJson(body))["stream"] === true,
  tools: (body) =>
    list(fields(body)["tools"]).flatMap((tool) => {
      const { name, parameters } = fields(tool["function"]);
      return typeof name === "string" ? [{ name, inputSchema: parameters ?? {} }] : [];
    }),
  results: (body) =>
    list(fields(body)["messages"])
      .filter(({ role }) => role === "tool")
      .map(({ tool_call_id: call, content }) => ({ call: String(call), text: textOf(content) })),
};
