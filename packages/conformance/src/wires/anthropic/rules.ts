import { isObject } from "../../harness/json.ts";
import { blocksOf, type Fields, fields, holding, list } from "../fields.ts";
import { type Content, pairing } from "./pairing.ts";

const idPattern = /^[a-zA-Z0-9_-]{1,64}$/;
const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;
/** The most places of a request that may be marked for caching. */
const breakpoints = 4;

const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === "string" && pattern.test(value);
const marked = ({ cache_control: mark }: Fields): boolean => mark !== undefined && mark !== null;

type BlockRule = (block: Fields, at: string) => readonly string[];
const ofCall: BlockRule = ({ input, name, id }, at) =>
  holding({
    [`${at}: the input must be an object`]: !isObject(input),
    [`${at}: the name must match ${namePattern}`]: !matches(name, namePattern),
    [`${at}: the id must match ${idPattern}`]: !matches(id, idPattern),
  });

const blockRules: Readonly<Record<string, BlockRule>> = {
  text: ({ text }, at) =>
    holding({
      [`${at}: text content blocks must be non-empty`]: text === "",
      [`${at}: a text block without text`]: typeof text !== "string",
    }),
  thinking: (block, at) =>
    holding({
      [`${at}: a thinking block without its signature`]:
        typeof block["signature"] !== "string" || block["signature"] === "",
      [`${at}: thinking blocks cannot be marked for caching`]: marked(block),
    }),
  redacted_thinking: ({ data }, at) =>
    holding({ [`${at}: redacted thinking without its data`]: typeof data !== "string" }),
  tool_use: ofCall,
  server_tool_use: ofCall,
  tool_result: ({ content, is_error: failed }, at) => [
    ...holding({
      [`${at}: the result of a failed tool may hold text only`]:
        failed === true && blocksOf(content).some(({ type }) => type !== "text"),
    }),
    ...list(content).flatMap((inner, n) => ofBlock(inner, `${at}.content.${n}`)),
  ],
};
const ofBlock: BlockRule = (block, at) => {
  const type = String(block["type"]);
  return Object.hasOwn(blockRules, type) ? (blockRules[type]?.(block, at) ?? []) : [];
};

function ofTool({ name, type, input_schema: schema }: Fields): readonly string[] {
  if (type !== undefined && type !== "custom") return [];
  return holding({
    [`tools: the name ${String(name)} must match ${namePattern}`]: !matches(name, namePattern),
    [`tools: the input_schema of ${String(name)} must have the type object`]:
      fields(schema)["type"] !== "object",
  });
}

function ofTools({ tools, tool_choice: choice, messages }: Fields): readonly string[] {
  const names = list(tools).map(({ name }) => name);
  const used = list(messages).flatMap(({ content }) => blocksOf(content).map(({ type }) => type));
  const { type, name } = fields(choice);
  return [
    ...holding({
      "requests which include `tool_use` or `tool_result` blocks must define tools":
        names.length === 0 && (used.includes("tool_use") || used.includes("tool_result")),
      "tool_choice may only be specified while providing tools":
        choice !== undefined && names.length === 0,
      "tools: tool names must be unique": new Set(names).size !== names.length,
      [`tool_choice: ${String(name)} is not among the tools`]:
        type === "tool" && !names.includes(name),
    }),
    ...list(tools).flatMap(ofTool),
  ];
}

function ofMessage({ role, content }: Fields, n: number): readonly string[] {
  const blocks = blocksOf(content);
  return [
    ...holding({
      [`messages.${n}: unexpected role ${String(role)}`]: !["user", "assistant", "system"].includes(
        String(role),
      ),
      [`messages.${n}: all messages must have non-empty content`]: blocks.length === 0,
    }),
    ...blocks.flatMap((block, position) => ofBlock(block, `messages.${n}.content.${position}`)),
  ];
}

function marks({ system, tools, messages }: Fields): number {
  const blocks = list(messages).flatMap(({ content }) => blocksOf(content));
  return [
    ...blocksOf(system),
    ...list(tools),
    ...blocks,
    ...blocks.flatMap(({ content }) => list(content)),
  ].filter(marked).length;
}

/** The server takes neighbours of one role as one message. */
function merged(messages: readonly Fields[]): readonly Content[] {
  const out: { readonly role: string; readonly blocks: Fields[] }[] = [];
  for (const { role, content } of messages) {
    const last = out.at(-1);
    if (last !== undefined && last.role === role) last.blocks.push(...blocksOf(content));
    else out.push({ role: String(role), blocks: [...blocksOf(content)] });
  }
  return out;
}

function ofRequest(body: Fields): readonly string[] {
  const { model, max_tokens: cap, system } = body;
  const messages = list(body["messages"]);
  return [
    ...holding({
      "model: field required": typeof model !== "string" || model === "",
      "max_tokens: field required, at least 1": !Number.isInteger(cap) || Number(cap) < 1,
      [`a maximum of ${breakpoints} blocks with cache_control may be provided, found ${marks(body)}`]:
        marks(body) > breakpoints,
      "messages: at least one message is required": messages.length === 0,
    }),
    ...blocksOf(system).flatMap((block) => ofBlock(block, "system")),
    ...ofTools(body),
    ...messages.flatMap(ofMessage),
    ...pairing(merged(messages)),
  ];
}

/**
 * The rules of Anthropic Messages that a request body breaks, in the words of its errors.
 * https://platform.claude.com/docs/en/api/messages, claude-code#8210, #18947, #63284, langchain#36611, anthropic-sdk-python#494
 */
export const violations = (body: unknown): readonly string[] =>
  isObject(body) ? ofRequest(body) : ["the body is no JSON object"];
