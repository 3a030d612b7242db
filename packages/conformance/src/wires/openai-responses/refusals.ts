import { isObject, tryParseJson } from "../../harness/json.ts";
import type { Violation } from "../../wire.ts";
import { formatViolations } from "../openai-format.ts";
import {
  type Fields,
  fieldsOf,
  listDoubtful,
  listViolations,
  matches,
  noJsonObject,
  objectsIn,
} from "../shared.ts";
import { hostedItemViolations } from "./hosted.ts";
import { responsesPairingViolations } from "./pairing.ts";

/** CommandCodeAI/command-code#778: the length */
const responsesNamePattern = /^[a-zA-Z0-9_-]{1,128}$/;

const nameRule = (item: Fields, at: string): Readonly<Record<string, boolean>> => ({
  [`Invalid '${at}.name': string does not match pattern ${responsesNamePattern}.`]: !matches(
    item["name"],
    responsesNamePattern,
  ),
});

const toolName = ({ type, name }: Fields): unknown =>
  type === "function" || type === "custom" ? name : undefined;

/** Tools that an item of the input offers. */
const hasAdditionalTools = (input: unknown): boolean =>
  objectsIn(input).some(({ type }) => type === "additional_tools");

/** The broken rules about the tools of a request and the choice among them. */
function responsesToolsViolations(body: Fields): readonly Violation[] {
  const { tools, tool_choice: choice, input } = body;
  const names: readonly unknown[] = objectsIn(tools)
    .map(toolName)
    .filter((name) => name !== undefined);
  const { type, name } = fieldsOf(choice);
  const offered = { tools: names, tool_choice: choice };
  return [
    // Other hosts refuse these two (chenyme/grok2api#1043, router-for-me/CLIProxyAPI#4788).
    ...listDoubtful(offered, {
      "Tool choice must be specified with 'tools'.":
        choice !== undefined && objectsIn(tools).length === 0 && !hasAdditionalTools(input),
      "Tool names must be unique.": new Set(names).size !== names.length,
    }),
    ...listViolations(offered, {
      [`Tool choice '${String(name)}' not found in 'tools' parameter.`]:
        (type === "function" || type === "custom") &&
        !names.includes(name) &&
        !hasAdditionalTools(input),
    }),
    ...objectsIn(tools).flatMap((tool, index) => functionViolations(tool, `tools[${index}]`)),
  ];
}

/** `FunctionTool` of OpenAI's SDK may have null as its parameters. everruns/everruns#984: no properties */
function functionViolations(tool: Fields, at: string): readonly Violation[] {
  const { type, name, parameters } = tool;
  const invalid = `Invalid schema for function '${String(name)}':`;
  const isFunction = type === "function";
  const list = (parameters ?? undefined) === undefined ? listDoubtful : listViolations;
  return [
    ...listViolations(tool, toolName(tool) !== undefined || isFunction ? nameRule(tool, at) : {}),
    ...list(tool, {
      [`${invalid} schema must be a JSON Schema of 'type: "object"'.`]:
        isFunction && fieldsOf(parameters)["type"] !== "object",
      [`${invalid} object schema missing properties.`]:
        isFunction && !isObject(fieldsOf(parameters)["properties"]),
    }),
  ];
}

const maxCallIdLength = 64;

const minOutputTokens = 16;

const roles: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer"]);

const userParts: ReadonlySet<unknown> = new Set(["input_text", "input_image", "input_file"]);

const assistantParts: ReadonlySet<unknown> = new Set(["output_text", "refusal"]);

type ItemRule = (item: Fields, at: string) => readonly Violation[];

const messageItemViolations: ItemRule = (item, at) => {
  const { role, content } = item;
  const allowed = role === "assistant" ? assistantParts : userParts;
  const strange = objectsIn(content).filter(({ type }) => !allowed.has(type));
  return listViolations(item, {
    [`Invalid value: '${String(role)}' for '${at}.role'.`]: !roles.has(role),
    [`Invalid type for '${at}.content'.`]:
      typeof content !== "string" && (!Array.isArray(content) || content.length === 0),
    [`Invalid value: '${String(strange[0]?.["type"])}' in '${at}.content' of ${String(role)}.`]:
      strange.length > 0,
    [`Missing required parameter: '${at}.content.text'.`]: objectsIn(content).some(
      ({ type, text }) =>
        (type === "input_text" || type === "output_text") && typeof text !== "string",
    ),
  });
};

/** The id of an item is optional. Its prefix depends on the type of the item. */
const itemIdRule = (
  item: Fields,
  at: string,
  prefix: string,
): Readonly<Record<string, boolean>> => ({
  [`Invalid '${at}.id': '${String(item["id"])}'. Expected an ID that begins with '${prefix}'.`]:
    item["id"] !== undefined && item["id"] !== null && !String(item["id"]).startsWith(prefix),
});

const longCallId = (item: Fields, at: string): Readonly<Record<string, boolean>> => ({
  [`Invalid '${at}.call_id': string too long. Expected a string with maximum length ${maxCallIdLength}.`]:
    String(item["call_id"]).length > maxCallIdLength,
});
const missingCallId = (item: Fields, at: string): Readonly<Record<string, boolean>> => ({
  [`Missing required parameter: '${at}.call_id'.`]:
    typeof item["call_id"] !== "string" || item["call_id"] === "",
});

/**
 * OpenAI made it optional (openai/openai-node#2488), and refuses an empty one
 * (BigPizzaV3/CodexPlusPlus#315). The call that it answers needs it.
 */
const isIdOptional = ({ type, call_id: id }: Fields): boolean =>
  type === "function_call_output" && (id ?? undefined) === undefined;

const outputItemViolations: ItemRule = (item, at) => [
  ...listViolations(item, {
    ...longCallId(item, at),
    [`Missing required parameter: '${at}.output'.`]:
      typeof item["output"] !== "string" && !Array.isArray(item["output"]),
  }),
  ...(isIdOptional(item) ? listDoubtful : listViolations)(item, missingCallId(item, at)),
  ...(Array.isArray(item["output"])
    ? messageItemViolations({ role: "user", content: item["output"] }, at)
    : []),
];

const itemRules: Readonly<Record<string, ItemRule>> = {
  message: messageItemViolations,
  // As with Chat Completions, hosts refuse arguments that are not JSON, and OpenAI is not known to.
  function_call: (item, at) => {
    const { arguments: written } = item;
    const isJson = typeof written !== "string" || isObject(tryParseJson(written));
    return [
      ...listViolations(item, {
        ...itemIdRule(item, at, "fc"),
        ...longCallId(item, at),
        ...missingCallId(item, at),
        ...nameRule(item, at),
        [`Invalid type for '${at}.arguments': expected a string.`]: typeof written !== "string",
      }),
      ...listDoubtful(item, {
        [`Invalid '${at}.arguments': expected the JSON of an object.`]: !isJson,
      }),
    ];
  },
  custom_tool_call: (item, at) =>
    listViolations(item, {
      ...itemIdRule(item, at, "ctc"),
      ...longCallId(item, at),
      ...missingCallId(item, at),
      ...nameRule(item, at),
      [`Missing required parameter: '${at}.input'.`]: typeof item["input"] !== "string",
    }),
  function_call_output: outputItemViolations,
  custom_tool_call_output: outputItemViolations,
  reasoning: (item, at) =>
    listViolations(item, {
      ...itemIdRule(item, at, "rs"),
      [`Missing required parameter: '${at}.summary'.`]: !Array.isArray(item["summary"]),
    }),
};

/** The server stores nothing, so an item needs more than its id. */
function storedItemViolations(item: Fields, stored: boolean): readonly Violation[] {
  if (stored || item["type"] !== "reasoning") return [];
  const { encrypted_content: encrypted, content } = item;
  const carried =
    (typeof encrypted === "string" && encrypted !== "") || objectsIn(content).length > 0;
  return listViolations(item, {
    [`Item with id '${item["id"]}' not found. Items are not persisted when \`store\` is set to false.`]:
      !carried,
  });
}

function responsesRequestViolations(body: Fields): readonly Violation[] {
  const { model, input, max_output_tokens: cap, store, text } = body;
  const format = fieldsOf(fieldsOf(text)["format"]);
  const items = typeof input === "string" ? [{ role: "user", content: input }] : objectsIn(input);
  return [
    ...listViolations(
      { model, max_output_tokens: cap, input: items.length === 0 ? input : undefined },
      {
        "Missing required parameter: 'model'.": typeof model !== "string" || model === "",
        "Missing required parameter: 'input'.": items.length === 0,
        [`Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${minOutputTokens}.`]:
          cap !== undefined &&
          cap !== null &&
          (!Number.isInteger(cap) || Number(cap) < minOutputTokens),
      },
    ),
    ...responsesToolsViolations(body),
    ...formatViolations(format["type"], format, "text.format"),
    ...items.flatMap((item, index) => {
      const type = String(item["type"] ?? "message");
      const rule = Object.hasOwn(itemRules, type) ? itemRules[type] : undefined;
      return [
        ...(rule ?? hostedItemViolations)(item, `input[${index}]`),
        ...storedItemViolations(item, store !== false),
      ];
    }),
    ...responsesPairingViolations(items),
  ];
}

/**
 * The rules of OpenAI Responses that a request body breaks. The sentences are those of its errors.
 * https://developers.openai.com/api/reference/resources/responses/create, continuedev/continue#11573,
 * TanStack/ai#1212, vercel/ai#7099, openai/openai-agents-js#1280
 */
export const responsesViolations = (body: unknown): readonly Violation[] =>
  isObject(body) ? responsesRequestViolations(body) : noJsonObject;
