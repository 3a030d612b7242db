import type { Violation } from "@fullstop/conformance";
import { conversationViolations } from "./conversation-refusals.ts";
import {
  type Fields,
  fieldsOf,
  idPattern,
  isObject,
  listViolations,
  matches,
  namePattern,
  objectsIn,
} from "./fields.ts";

type BlockRule = (value: Fields, at: string) => readonly Violation[];

/**
 * The rules of each kind of block. The sentences are those of the API's errors, as public issues
 * quote them: continuedev/continue#9767, RooCodeInc/Roo-Code#10902,
 * aws-samples/remote-swe-agents#457, aws-samples/sample-apj-sup-sa#137.
 */
const blockRules: Readonly<Record<string, BlockRule>> = {
  toolUse: ({ toolUseId, name, input, type }, at) =>
    listViolations({
      [`${at}.toolUse.toolUseId: must satisfy ${idPattern}`]: !matches(toolUseId, idPattern),
      [`${at}.toolUse.name: must satisfy ${namePattern}`]:
        type === undefined && !matches(name, namePattern),
      [`The format of the value at ${at}.toolUse.input is invalid. Provide a json object for the field`]:
        !isObject(input),
    }),
  toolResult: ({ toolUseId, content, status }, at) => [
    ...listViolations({
      [`${at}.toolResult.toolUseId: must satisfy ${idPattern}`]: !matches(toolUseId, idPattern),
      [`${at}.toolResult.content: must be a list`]: !Array.isArray(content),
      [`${at}.toolResult.status: must be one of error, success`]:
        status !== undefined && status !== "error" && status !== "success",
      [`${at}.toolResult.content: json must be an object`]: objectsIn(content).some(
        (part) => "json" in part && !isObject(part["json"]),
      ),
    }),
    ...objectsIn(content).flatMap((part, index) =>
      blockViolations(part, `${at}.toolResult.content.${index}`),
    ),
  ],
  document: ({ name, source }, at) =>
    listViolations({
      [`${at}.document.name: letters, digits, single blanks, hyphens, parentheses and square brackets`]:
        !matches(name, /^[a-zA-Z0-9()[\]-]+( [a-zA-Z0-9()[\]-]+)*$/) || String(name).length > 200,
      [`${at}.document.source: one member`]: Object.keys(fieldsOf(source)).length !== 1,
    }),
  image: ({ format, source }, at) =>
    listViolations({
      [`${at}.image.format: must be one of png, jpeg, gif, webp`]: !matches(
        format,
        /^(png|jpeg|gif|webp)$/,
      ),
      [`${at}.image.source: one member`]: Object.keys(fieldsOf(source)).length !== 1,
    }),
  cachePoint: ({ type }, at) =>
    listViolations({ [`${at}.cachePoint.type: must be default`]: type !== "default" }),
};

/** A block has one member. */
export function blockViolations(block: Fields, at: string): readonly Violation[] {
  const names = Object.keys(block);
  const [type = ""] = names;
  const rule = Object.hasOwn(blockRules, type) ? blockRules[type] : undefined;
  return [
    ...listViolations(
      {
        [`${at}: exactly one member must be set`]: names.length !== 1,
        [`The text field in the ContentBlock object at ${at} is blank. Add text to the text field, and try again.`]:
          type === "text" && String(block["text"]).trim() === "",
      },
      block,
    ),
    ...(rule?.(fieldsOf(block[type]), at) ?? []),
  ];
}

function toolViolations({ toolConfig }: Fields): readonly Violation[] {
  if (toolConfig === undefined) return [];
  const { tools, toolChoice } = fieldsOf(toolConfig);
  const specs = objectsIn(tools).flatMap(({ toolSpec }) => (isObject(toolSpec) ? [toolSpec] : []));
  const names = specs.map(({ name }) => name);
  const { tool } = fieldsOf(toolChoice);
  return [
    ...listViolations(
      {
        "toolConfig.tools: at least one member": objectsIn(tools).length === 0,
        "toolConfig.toolChoice: exactly one member must be set":
          toolChoice !== undefined && Object.keys(fieldsOf(toolChoice)).length !== 1,
      },
      toolConfig,
    ),
    ...specs.flatMap(({ name, description, inputSchema }, index) =>
      listViolations({
        [`toolConfig.tools.${index}.toolSpec.name: must satisfy ${namePattern}`]: !matches(
          name,
          namePattern,
        ),
        [`toolConfig.tools.${index}.toolSpec.description: at least one character`]:
          description === "",
        [`The value at toolConfig.tools.${index}.toolSpec.inputSchema.json.type must be one of the following: object.`]:
          fieldsOf(fieldsOf(inputSchema)["json"])["type"] !== "object",
      }),
    ),
    ...listViolations({
      "toolConfig.tools: a name twice": new Set(names).size !== names.length,
      "toolConfig.toolChoice: a tool that is not offered":
        isObject(tool) && !names.includes(tool["name"]),
    }).map((violation) => ({ ...violation, level: "should" as const })),
  ];
}

function formatViolations({ outputConfig }: Fields): readonly Violation[] {
  const { textFormat } = fieldsOf(outputConfig);
  if (textFormat === undefined) return [];
  const { type, structure } = fieldsOf(textFormat);
  const { schema } = fieldsOf(fieldsOf(structure)["jsonSchema"]);
  return listViolations(
    {
      "outputConfig.textFormat.type: must be json_schema": type !== "json_schema",
      "outputConfig.textFormat.structure.jsonSchema.schema: a text": typeof schema !== "string",
    },
    textFormat,
  );
}

/** How many blocks may be marked for caching. https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
const maxCachePoints = 4;

function requestViolations(body: Fields): readonly Violation[] {
  const messages = objectsIn(body["messages"]);
  const cap = fieldsOf(body["inferenceConfig"])["maxTokens"];
  const marked = [
    ...objectsIn(body["system"]),
    ...objectsIn(fieldsOf(body["toolConfig"])["tools"]),
    ...messages.flatMap(({ content }) => objectsIn(content)),
  ].filter((block) => "cachePoint" in block);
  return listViolations({
    "inferenceConfig.maxTokens: an integer of at least 1":
      cap !== undefined && (!Number.isInteger(cap) || Number(cap) < 1),
    [`at most ${maxCachePoints} cache points`]: marked.length > maxCachePoints,
    "The text field in the SystemContentBlock object is blank": objectsIn(body["system"]).some(
      ({ text }) => typeof text === "string" && text.trim() === "",
    ),
  });
}

/**
 * The rules of Converse that a request body breaks.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export function violations(
  body: unknown,
  request?: { readonly path: string },
): readonly Violation[] {
  if (!isObject(body)) return [{ message: "the body is not a JSON object" }];
  const messages = objectsIn(body["messages"]);
  return [
    ...requestViolations(body),
    ...toolViolations(body),
    ...formatViolations(body),
    ...messages.flatMap(({ content }, index) =>
      objectsIn(content).flatMap((block, position) =>
        blockViolations(block, `messages.${index}.content.${position}`),
      ),
    ),
    ...conversationViolations(body, decodeURIComponent(request?.path ?? "claude")),
  ];
}
