import { isObject, parseJson } from "../../harness/json.ts";
import { type Fields, fields, holding, list, matches } from "../fields.ts";
import { ofHosted } from "./hosted.ts";
import { pairing } from "./pairing.ts";

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;
const idLength = 64;
const leastCap = 16;
const roles: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer"]);
const userParts: ReadonlySet<unknown> = new Set(["input_text", "input_image", "input_file"]);
const assistantParts: ReadonlySet<unknown> = new Set(["output_text", "refusal"]);

type ItemRule = (item: Fields, at: string) => readonly string[];

const ofMessage: ItemRule = ({ role, content }, at) => {
  const allowed = role === "assistant" ? assistantParts : userParts;
  const strange = list(content).filter(({ type }) => !allowed.has(type));
  return holding({
    [`Invalid value: '${String(role)}' for '${at}.role'.`]: !roles.has(role),
    [`Invalid type for '${at}.content'.`]:
      typeof content !== "string" && (!Array.isArray(content) || content.length === 0),
    [`Invalid value: '${String(strange[0]?.["type"])}' in '${at}.content' of ${String(role)}.`]:
      strange.length > 0,
    [`Missing required parameter: '${at}.content.text'.`]: list(content).some(
      ({ type, text }) =>
        (type === "input_text" || type === "output_text") && typeof text !== "string",
    ),
  });
};

/** Ids of items are optional, and say what they belong to. */
const ofId = (item: Fields, at: string, prefix: string): Readonly<Record<string, boolean>> => ({
  [`Invalid '${at}.id': '${String(item["id"])}'. Expected an ID that begins with '${prefix}'.`]:
    item["id"] !== undefined && item["id"] !== null && !String(item["id"]).startsWith(prefix),
});
const ofCallId = (item: Fields, at: string): Readonly<Record<string, boolean>> => ({
  [`Invalid '${at}.call_id': string too long. Expected a string with maximum length ${idLength}.`]:
    String(item["call_id"]).length > idLength,
  [`Missing required parameter: '${at}.call_id'.`]:
    typeof item["call_id"] !== "string" || item["call_id"] === "",
});
const ofName = (item: Fields, at: string): Readonly<Record<string, boolean>> => ({
  [`Invalid '${at}.name': string does not match pattern ${namePattern}.`]: !matches(
    item["name"],
    namePattern,
  ),
});
const ofOutput: ItemRule = (item, at) => [
  ...holding({
    ...ofCallId(item, at),
    [`Missing required parameter: '${at}.output'.`]:
      typeof item["output"] !== "string" && !Array.isArray(item["output"]),
  }),
  ...(Array.isArray(item["output"])
    ? ofMessage({ role: "user", content: item["output"] }, at)
    : []),
];

const itemRules: Readonly<Record<string, ItemRule>> = {
  message: ofMessage,
  function_call: (item, at) =>
    holding({
      ...ofId(item, at, "fc"),
      ...ofCallId(item, at),
      ...ofName(item, at),
      [`Invalid '${at}.arguments': expected the JSON of an object.`]: !isObject(
        parseJson(String(item["arguments"])),
      ),
    }),
  custom_tool_call: (item, at) =>
    holding({
      ...ofId(item, at, "ctc"),
      ...ofCallId(item, at),
      ...ofName(item, at),
      [`Missing required parameter: '${at}.input'.`]: typeof item["input"] !== "string",
    }),
  function_call_output: ofOutput,
  custom_tool_call_output: ofOutput,
  reasoning: (item, at) =>
    holding({
      ...ofId(item, at, "rs"),
      [`Missing required parameter: '${at}.summary'.`]: !Array.isArray(item["summary"]),
    }),
};

/** Nothing is kept on the server: an item that has only its id is not found there. */
function ofStored(item: Fields, stored: boolean): readonly string[] {
  if (stored || item["type"] !== "reasoning") return [];
  const { encrypted_content: encrypted, content } = item;
  const carried = (typeof encrypted === "string" && encrypted !== "") || list(content).length > 0;
  return holding({
    [`Item with id '${item["id"]}' not found. Items are not persisted when \`store\` is set to false.`]:
      !carried,
  });
}

const toolName = ({ type, name }: Fields): unknown =>
  type === "function" || type === "custom" ? name : undefined;
function ofTools({ tools, tool_choice: choice }: Fields): readonly string[] {
  const names: readonly unknown[] = list(tools)
    .map(toolName)
    .filter((name) => name !== undefined);
  const { type, name } = fields(choice);
  return [
    ...holding({
      "Tool choice must be specified with 'tools'.":
        choice !== undefined && list(tools).length === 0,
      "Tool names must be unique.": new Set(names).size !== names.length,
      [`Tool choice '${String(name)}' not found in 'tools' parameter.`]:
        (type === "function" || type === "custom") && !names.includes(name),
    }),
    ...list(tools).flatMap((tool, n) =>
      holding({
        ...(toolName(tool) !== undefined || tool["type"] === "function"
          ? ofName(tool, `tools[${n}]`)
          : {}),
        [`Invalid schema for function '${String(tool["name"])}': schema must be a JSON Schema of 'type: "object"'.`]:
          tool["type"] === "function" && fields(tool["parameters"])["type"] !== "object",
        [`Invalid schema for function '${String(tool["name"])}': object schema missing properties.`]:
          tool["type"] === "function" && !isObject(fields(tool["parameters"])["properties"]),
      }),
    ),
  ];
}

function ofRequest(body: Fields): readonly string[] {
  const { model, input, max_output_tokens: cap, store } = body;
  const items = typeof input === "string" ? [{ role: "user", content: input }] : list(input);
  return [
    ...holding({
      "Missing required parameter: 'model'.": typeof model !== "string" || model === "",
      "Missing required parameter: 'input'.": items.length === 0,
      [`Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${leastCap}.`]:
        cap !== undefined && cap !== null && (!Number.isInteger(cap) || Number(cap) < leastCap),
    }),
    ...ofTools(body),
    ...items.flatMap((item, n) => {
      const type = String(item["type"] ?? "message");
      const rule = Object.hasOwn(itemRules, type) ? itemRules[type] : undefined;
      return [...(rule ?? ofHosted)(item, `input[${n}]`), ...ofStored(item, store !== false)];
    }),
    ...pairing(items),
  ];
}

/**
 * The rules of OpenAI Responses that a request body breaks, in the words of its errors.
 * https://developers.openai.com/api/reference/resources/responses/create, continue#11573, TanStack/ai#1212, vercel/ai#7099, openai-agents-js#1280
 */
export const violations = (body: unknown): readonly string[] =>
  isObject(body) ? ofRequest(body) : ["the body is no JSON object"];
