import { tryParseJson } from "../../harness/json.ts";
import type { AgentWire, OfferedTool } from "../../wire.ts";
import { openaiModels } from "../models.ts";
import {
  contentText,
  type Fields,
  fieldsOf,
  objectsIn,
  openaiEnv,
  readOpening,
  textsOf,
} from "../shared.ts";
import { responsesHeld } from "./held.ts";

/** What a tool definition offers. A namespace groups functions and custom tools. */
function toolsIn(definition: Fields, namespace?: string): readonly OfferedTool[] {
  const { type, name, parameters, tools } = definition;
  const place = { name: String(name), ...(namespace !== undefined && { namespace }) };
  if (type === "function") return [{ ...place, inputSchema: parameters ?? {} }];
  if (type === "custom") return [{ ...place, inputSchema: {}, takesText: true }];
  if (type === "namespace") return objectsIn(tools).flatMap((tool) => toolsIn(tool, String(name)));
  return [];
}

const inputItems = (body: unknown): readonly Fields[] => objectsIn(fieldsOf(body)["input"]);

/** The definitions of a request, also those of its `additional_tools` items. */
const definitionsIn = (body: unknown): readonly Fields[] => [
  ...objectsIn(fieldsOf(body)["tools"]),
  ...inputItems(body)
    .filter(({ type }) => type === "additional_tools")
    .flatMap(({ tools }) => objectsIn(tools)),
];

const resultTypes: ReadonlySet<unknown> = new Set([
  "function_call_output",
  "custom_tool_call_output",
]);

/** How agents use the protocol. */
export const responsesAgent: AgentWire = {
  route: /\/responses$/,
  env: openaiEnv,
  streams: ({ body }) => fieldsOf(tryParseJson(body))["stream"] === true,
  tools: (body) => definitionsIn(body).flatMap((definition) => toolsIn(definition)),
  results: (body) =>
    inputItems(body)
      .filter(({ type }) => resultTypes.has(type))
      .map(({ call_id: call, output }) => ({ call: String(call), text: contentText(output) })),
  opening: (body) => {
    const { instructions, input, previous_response_id: previous, conversation } = fieldsOf(body);
    const items = typeof input === "string" ? [{ role: "user", content: input }] : inputItems(body);
    const opening = readOpening(items, typeof instructions === "string" ? instructions : "");
    const isKept = (previous ?? conversation ?? null) !== null;
    return isKept ? { system: opening.system, firstMessage: "" } : opening;
  },
  models: openaiModels,
  replyIds: (event) => {
    const { object, response, item } = fieldsOf(event);
    const whole = fieldsOf(object === "response" ? event : response);
    const ids = [whole, fieldsOf(item), ...objectsIn(whole["output"])].map(({ id }) => id);
    return textsOf(...ids);
  },
  held: responsesHeld,
};
