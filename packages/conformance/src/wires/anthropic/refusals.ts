import { isObject } from "../../harness/json.ts";
import type { Violation } from "../../wire.ts";
import {
  blocksOf,
  type Fields,
  fieldsOf,
  listDoubtful,
  listViolations,
  matches,
  noJsonObject,
  objectsIn,
  openObjects,
  schemaNodes,
  wordsIn,
} from "../shared.ts";
import { anthropicPairingViolations, type MergedMessage } from "./pairing.ts";

const anthropicIdPattern = /^[a-zA-Z0-9_-]+$/;
const maxIdLength = 64;
const anthropicNamePattern = /^[a-zA-Z0-9_-]{1,128}$/;
/** A call in a history may have a longer name than a tool (openclaw/openclaw#13134). */
const anthropicCallNamePattern = /^[a-zA-Z0-9_-]{1,200}$/;
/** How many blocks of a request may be marked for caching. */
const maxCacheMarks = 4;

const isCacheMarked = ({ cache_control: mark }: Fields): boolean =>
  mark !== undefined && mark !== null;

type BlockRule = (block: Fields, at: string) => readonly Violation[];
const anthropicCallViolations: BlockRule = (call, at) => {
  const { input, name, id } = call;
  return [
    ...listViolations(call, {
      [`${at}: the input must be an object`]: !isObject(input),
      [`${at}: the name must match ${anthropicCallNamePattern}`]: !matches(
        name,
        anthropicCallNamePattern,
      ),
      [`${at}: the id must match ${anthropicIdPattern}`]: !matches(id, anthropicIdPattern),
    }),
    // Clients limit ids to this length. That Anthropic refuses longer ones is not shown.
    ...listDoubtful(call, {
      [`${at}: an id of more than ${maxIdLength} characters`]: String(id).length > maxIdLength,
    }),
  ];
};

const blockRules: Readonly<Record<string, BlockRule>> = {
  text: (block, at) =>
    listViolations(block, {
      [`${at}: text content blocks must be non-empty`]: block["text"] === "",
      [`${at}: a text block without text`]: typeof block["text"] !== "string",
    }),
  thinking: (block, at) =>
    listViolations(block, {
      [`${at}: a thinking block without its signature`]:
        typeof block["signature"] !== "string" || block["signature"] === "",
      [`${at}: thinking blocks cannot be marked for caching`]: isCacheMarked(block),
    }),
  redacted_thinking: (block, at) =>
    listViolations(block, {
      [`${at}: redacted thinking without its data`]: typeof block["data"] !== "string",
    }),
  tool_use: anthropicCallViolations,
  server_tool_use: anthropicCallViolations,
  tool_result: (block, at) => [
    ...listViolations(block, {
      [`${at}: the result of a failed tool may hold text only`]:
        block["is_error"] === true &&
        blocksOf(block["content"]).some(({ type }) => type !== "text"),
    }),
    ...objectsIn(block["content"]).flatMap((inner, index) =>
      anthropicBlockViolations(inner, `${at}.content.${index}`),
    ),
  ],
};
const anthropicBlockViolations: BlockRule = (block, at) => {
  const type = String(block["type"]);
  return Object.hasOwn(blockRules, type) ? (blockRules[type]?.(block, at) ?? []) : [];
};

function anthropicToolViolations(tool: Fields): readonly Violation[] {
  const { name, type, input_schema: schema } = tool;
  if (type !== undefined && type !== "custom") return [];
  return listViolations(tool, {
    [`tools: the name ${String(name)} must match ${anthropicNamePattern}`]: !matches(
      name,
      anthropicNamePattern,
    ),
    [`tools: the input_schema of ${String(name)} must have the type object`]:
      fieldsOf(schema)["type"] !== "object",
  });
}

function anthropicToolsViolations({
  tools,
  tool_choice: choice,
  messages,
}: Fields): readonly Violation[] {
  const names = objectsIn(tools).map(({ name }) => name);
  const used = objectsIn(messages).flatMap(({ content }) =>
    blocksOf(content).map(({ type }) => type),
  );
  const { type, name } = fieldsOf(choice);
  return [
    // Bedrock refuses this (anomalyco/opencode#10259). Anthropic's own API takes it since 2025
    // (anomalyco/opencode#2915, anomalyco/opencode#8497).
    ...listDoubtful(messages, {
      "requests which include `tool_use` or `tool_result` blocks must define tools":
        names.length === 0 && (used.includes("tool_use") || used.includes("tool_result")),
    }),
    ...listViolations(
      { tools: names, tool_choice: choice },
      {
        "tool_choice may only be specified while providing tools":
          choice !== undefined && names.length === 0,
        "tools: tool names must be unique": new Set(names).size !== names.length,
        [`tool_choice: ${String(name)} is not among the tools`]:
          type === "tool" && !names.includes(name),
      },
    ),
    ...objectsIn(tools).flatMap(anthropicToolViolations),
  ];
}

/** Constraints that the page calls unsupported. https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
const unsupportedKeywords = wordsIn("minimum maximum multipleOf minLength maxLength maxItems");

/**
 * The format of a reply. That the API refuses an object without `additionalProperties: false` is
 * seen (veryfront/veryfront-code#3918); that it refuses each constraint is only on its page.
 */
function anthropicFormatViolations({ output_config: config }: Fields): readonly Violation[] {
  const { format } = fieldsOf(config);
  if (format === undefined || format === null) return [];
  const { type, schema } = fieldsOf(format);
  const open = openObjects(fieldsOf(schema));
  const unsupported = schemaNodes(fieldsOf(schema)).flatMap(([path, node]) =>
    unsupportedKeywords
      .filter((keyword) => node[keyword] !== undefined)
      .map((keyword) => `${path}.${keyword}`),
  );
  return [
    ...listViolations(format, {
      "output_config.format.type: must be json_schema": type !== "json_schema",
      "output_config.format.schema: field required": !isObject(schema),
      [`output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false: ${open.join(", ")}`]:
        open.length > 0,
    }),
    ...listDoubtful(format, {
      [`output_config.format.schema: not supported: ${unsupported.join(", ")}`]:
        unsupported.length > 0,
    }),
  ];
}

function anthropicMessageViolations(message: Fields, index: number): readonly Violation[] {
  const role = String(message["role"]);
  const blocks = blocksOf(message["content"]);
  const isKnown = ["user", "assistant", "system"].includes(role);
  return [
    ...listViolations(message, {
      [`messages.${index}: unexpected role ${role}`]: !isKnown,
      [`messages.${index}: all messages must have non-empty content`]: blocks.length === 0,
    }),
    ...blocks.flatMap((block, position) =>
      anthropicBlockViolations(block, `messages.${index}.content.${position}`),
    ),
  ];
}

function countCacheMarks({ system, tools, messages }: Fields): number {
  const blocks = objectsIn(messages).flatMap(({ content }) => blocksOf(content));
  return [
    ...blocksOf(system),
    ...objectsIn(tools),
    ...blocks,
    ...blocks.flatMap(({ content }) => objectsIn(content)),
  ].filter(isCacheMarked).length;
}

/**
 * Public errors of an empty system text are about blocks, such as those that clients mark for
 * caching. None was found of an empty string.
 */
const anthropicSystemViolations = (system: unknown): readonly Violation[] =>
  typeof system === "string"
    ? listDoubtful({ system }, { "system: an empty string in place of no system": system === "" })
    : blocksOf(system).flatMap((block) => anthropicBlockViolations(block, "system"));

/** The server merges neighboring messages of one role. */
function mergeMessages(messages: readonly Fields[]): readonly MergedMessage[] {
  const out: { readonly role: string; readonly blocks: Fields[] }[] = [];
  for (const { role, content } of messages) {
    const last = out.at(-1);
    if (last !== undefined && last.role === role) last.blocks.push(...blocksOf(content));
    else out.push({ role: String(role), blocks: [...blocksOf(content)] });
  }
  return out;
}

function anthropicRequestViolations(body: Fields): readonly Violation[] {
  const { model, max_tokens: cap, system } = body;
  const messages = objectsIn(body["messages"]);
  return [
    ...listViolations(undefined, {
      "model: field required": typeof model !== "string" || model === "",
      // 0 fills the cache without a reply: `MessageCreateParams` of Anthropic's SDK.
      "max_tokens: field required, at least 0": !Number.isInteger(cap) || Number(cap) < 0,
      [`a maximum of ${maxCacheMarks} blocks with cache_control may be provided, found ${countCacheMarks(body)}`]:
        countCacheMarks(body) > maxCacheMarks,
      "messages: at least one message is required": messages.length === 0,
    }),
    ...anthropicSystemViolations(system),
    ...anthropicToolsViolations(body),
    ...anthropicFormatViolations(body),
    ...messages.flatMap(anthropicMessageViolations),
    ...anthropicPairingViolations(mergeMessages(messages), model),
  ];
}

/**
 * The rules of Anthropic Messages that a request body breaks. The sentences are those of its
 * errors. https://platform.claude.com/docs/en/api/messages, anthropics/claude-code#8210,
 * anthropics/claude-code#18947, anthropics/claude-code#63284, langchain-ai/langchain#36611,
 * anthropics/anthropic-sdk-python#494
 */
export const anthropicViolations = (body: unknown): readonly Violation[] =>
  isObject(body) ? anthropicRequestViolations(body) : noJsonObject;
