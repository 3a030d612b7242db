import { isObject, tryParseJson } from "../../harness/json.ts";
import { type Fields, fieldsOf, listViolations, matches, objectsIn } from "../shared.ts";
import { responsesPairingViolations } from "./pairing.ts";

/**
 * The rules for the outputs of tools that the API defines, from the SDK's types of
 * `ResponseInputItem`. True for a broken rule.
 */
type HostedRule = (item: Fields) => Readonly<Record<string, boolean>>;

const isText = (value: unknown): boolean => typeof value === "string";

const isShellOutcome = (value: unknown): boolean => {
  const { type, exit_code: code } = fieldsOf(value);
  return type === "timeout" || (type === "exit" && Number.isInteger(code));
};

const hostedRules: Readonly<Record<string, HostedRule>> = {
  apply_patch_call_output: ({ status, output }) => ({
    [`Invalid value: '${String(status)}' for 'status'.`]:
      status !== "completed" && status !== "failed",
    "Invalid type for 'output'.": output !== undefined && output !== null && !isText(output),
  }),
  computer_call_output: ({ output }) => ({
    "Invalid value for 'output.type'.": fieldsOf(output)["type"] !== "computer_screenshot",
    "Missing required parameter: 'output.image_url'.": !isText(fieldsOf(output)["image_url"]),
  }),
  local_shell_call_output: ({ id, output }) => ({
    "Missing required parameter: 'id'.": !isText(id),
    "Invalid type for 'output'.": !isText(output),
  }),
  mcp_approval_response: ({ approve, reason }) => ({
    "Invalid type for 'approve'.": typeof approve !== "boolean",
    "Invalid type for 'reason'.": reason !== undefined && reason !== null && !isText(reason),
  }),
  shell_call_output: ({ output }) => ({
    "Invalid type for 'output'.":
      !Array.isArray(output) ||
      objectsIn(output).some(
        ({ stdout, stderr, outcome }) =>
          !isText(stdout) || !isText(stderr) || !isShellOutcome(outcome),
      ),
  }),
  tool_search_output: ({ tools }) => ({
    "Missing required parameter: 'tools'.":
      !Array.isArray(tools) || objectsIn(tools).some(({ type }) => !isText(type)),
  }),
};

/** The rules that such an output breaks. */
const hostedItemViolations = (item: Fields, at: string): readonly string[] =>
  listViolations(
    Object.fromEntries(
      Object.entries(hostedRules[String(item["type"])]?.(item) ?? {}).map(([flaw, holds]) => [
        `${at}: ${flaw}`,
        holds,
      ]),
    ),
  );

const responsesNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

const maxCallIdLength = 64;

const minOutputTokens = 16;

const roles: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer"]);

const userParts: ReadonlySet<unknown> = new Set(["input_text", "input_image", "input_file"]);

const assistantParts: ReadonlySet<unknown> = new Set(["output_text", "refusal"]);

type ItemRule = (item: Fields, at: string) => readonly string[];

const messageItemViolations: ItemRule = ({ role, content }, at) => {
  const allowed = role === "assistant" ? assistantParts : userParts;
  const strange = objectsIn(content).filter(({ type }) => !allowed.has(type));
  return listViolations({
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

const callIdRules = (item: Fields, at: string): Readonly<Record<string, boolean>> => ({
  [`Invalid '${at}.call_id': string too long. Expected a string with maximum length ${maxCallIdLength}.`]:
    String(item["call_id"]).length > maxCallIdLength,
  [`Missing required parameter: '${at}.call_id'.`]:
    typeof item["call_id"] !== "string" || item["call_id"] === "",
});

const nameRule = (item: Fields, at: string): Readonly<Record<string, boolean>> => ({
  [`Invalid '${at}.name': string does not match pattern ${responsesNamePattern}.`]: !matches(
    item["name"],
    responsesNamePattern,
  ),
});

const outputItemViolations: ItemRule = (item, at) => [
  ...listViolations({
    ...callIdRules(item, at),
    [`Missing required parameter: '${at}.output'.`]:
      typeof item["output"] !== "string" && !Array.isArray(item["output"]),
  }),
  ...(Array.isArray(item["output"])
    ? messageItemViolations({ role: "user", content: item["output"] }, at)
    : []),
];

const itemRules: Readonly<Record<string, ItemRule>> = {
  message: messageItemViolations,
  function_call: (item, at) =>
    listViolations({
      ...itemIdRule(item, at, "fc"),
      ...callIdRules(item, at),
      ...nameRule(item, at),
      [`Invalid '${at}.arguments': expected the JSON of an object.`]: !isObject(
        tryParseJson(String(item["arguments"])),
      ),
    }),
  custom_tool_call: (item, at) =>
    listViolations({
      ...itemIdRule(item, at, "ctc"),
      ...callIdRules(item, at),
      ...nameRule(item, at),
      [`Missing required parameter: '${at}.input'.`]: typeof item["input"] !== "string",
    }),
  function_call_output: outputItemViolations,
  custom_tool_call_output: outputItemViolations,
  reasoning: (item, at) =>
    listViolations({
      ...itemIdRule(item, at, "rs"),
      [`Missing required parameter: '${at}.summary'.`]: !Array.isArray(item["summary"]),
    }),
};

/** The server stores nothing, so an item needs more than its id. */
function storedItemViolations(item: Fields, stored: boolean): readonly string[] {
  if (stored || item["type"] !== "reasoning") return [];
  const { encrypted_content: encrypted, content } = item;
  const carried =
    (typeof encrypted === "string" && encrypted !== "") || objectsIn(content).length > 0;
  return listViolations({
    [`Item with id '${item["id"]}' not found. Items are not persisted when \`store\` is set to false.`]:
      !carried,
  });
}

const toolName = ({ type, name }: Fields): unknown =>
  type === "function" || type === "custom" ? name : undefined;

/** Tools that an item of the input offers. */
const hasAdditionalTools = (input: unknown): boolean =>
  objectsIn(input).some(({ type }) => type === "additional_tools");

function responsesToolsViolations(body: Fields): readonly string[] {
  const { tools, tool_choice: choice, input } = body;
  const names: readonly unknown[] = objectsIn(tools)
    .map(toolName)
    .filter((name) => name !== undefined);
  const { type, name } = fieldsOf(choice);
  return [
    ...listViolations({
      "Tool choice must be specified with 'tools'.":
        choice !== undefined && objectsIn(tools).length === 0 && !hasAdditionalTools(input),
      "Tool names must be unique.": new Set(names).size !== names.length,
      [`Tool choice '${String(name)}' not found in 'tools' parameter.`]:
        (type === "function" || type === "custom") &&
        !names.includes(name) &&
        !hasAdditionalTools(input),
    }),
    ...objectsIn(tools).flatMap((tool, index) =>
      listViolations({
        ...(toolName(tool) !== undefined || tool["type"] === "function"
          ? nameRule(tool, `tools[${index}]`)
          : {}),
        [`Invalid schema for function '${String(tool["name"])}': schema must be a JSON Schema of 'type: "object"'.`]:
          tool["type"] === "function" && fieldsOf(tool["parameters"])["type"] !== "object",
        [`Invalid schema for function '${String(tool["name"])}': object schema missing properties.`]:
          tool["type"] === "function" && !isObject(fieldsOf(tool["parameters"])["properties"]),
      }),
    ),
  ];
}

function responsesRequestViolations(body: Fields): readonly string[] {
  const { model, input, max_output_tokens: cap, store } = body;
  const items = typeof input === "string" ? [{ role: "user", content: input }] : objectsIn(input);
  return [
    ...listViolations({
      "Missing required parameter: 'model'.": typeof model !== "string" || model === "",
      "Missing required parameter: 'input'.": items.length === 0,
      [`Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${minOutputTokens}.`]:
        cap !== undefined &&
        cap !== null &&
        (!Number.isInteger(cap) || Number(cap) < minOutputTokens),
    }),
    ...responsesToolsViolations(body),
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
 * https://developers.openai.com/api/reference/resources/responses/create, continue#11573,
 * TanStack/ai#1212, vercel/ai#7099, openai-agents-js#1280
 */
export const responsesViolations = (body: unknown): readonly string[] =>
  isObject(body) ? responsesRequestViolations(body) : ["the body is not a JSON object"];
