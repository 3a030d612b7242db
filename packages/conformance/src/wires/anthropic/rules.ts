import { isObject } from "../../bytes.ts";
import { type Content, pairing } from "./pairing.ts";

type Fields = Readonly<Record<string, unknown>>;

const idPattern = /^[a-zA-Z0-9_-]{1,64}$/;
const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;
/** The most places of a request that may be marked for caching. */
const breakpoints = 4;

const fields = (value: unknown): Fields => (isObject(value) ? value : {});
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);

/** Blocks of a message; text alone is a block of its own. */
const blocksOf = (content: unknown): readonly Fields[] => (typeof content === "string" ? [{ type: "text", text: content }] : list(content));

/** The server takes neighbours of one role as one message. */
function merged(messages: readonly Fields[]): readonly Content[] {
  const out: { role: string; blocks: Fields[] }[] = [];
  for (const { role, content } of messages) {
    const last = out.at(-1);
    if (last !== undefined && last.role === role) last.blocks.push(...blocksOf(content));
    else out.push({ role: String(role), blocks: [...blocksOf(content)] });
  }
  return out;
}

function* ofBlock(block: Fields, at: string): Generator<string> {
  switch (block["type"]) {
    case "text":
      if (block["text"] === "") yield `${at}: text content blocks must be non-empty`;
      if (typeof block["text"] !== "string") yield `${at}: a text block without text`;
      return;
    case "thinking":
      if (typeof block["signature"] !== "string" || block["signature"] === "") yield `${at}: a thinking block without its signature`;
      if (block["cache_control"] !== undefined) yield `${at}: thinking blocks cannot be marked for caching`;
      return;
    case "redacted_thinking":
      if (typeof block["data"] !== "string") yield `${at}: redacted thinking without its data`;
      return;
    case "tool_use":
    case "server_tool_use":
      if (!isObject(block["input"])) yield `${at}: the input must be an object`;
      if (typeof block["name"] !== "string" || !namePattern.test(block["name"])) yield `${at}: the name must match ${namePattern}`;
      if (typeof block["id"] !== "string" || !idPattern.test(block["id"])) yield `${at}: the id must match ${idPattern}`;
      return;
    case "tool_result":
      yield* ofResult(block, at);
      return;
    default:
      return;
  }
}

function* ofResult({ content, is_error: failed }: Fields, at: string): Generator<string> {
  if (failed === true && blocksOf(content).some(({ type }) => type !== "text")) yield `${at}: the result of a failed tool may hold text only`;
  for (const [n, inner] of blocksOf(content).entries()) if (Array.isArray(content)) yield* ofBlock(inner, `${at}.content.${n}`);
}

function* ofTools({ tools, tool_choice: choice, messages }: Fields): Generator<string> {
  const names = list(tools).map(({ name }) => name);
  const used = list(messages).some(({ content }) => blocksOf(content).some(({ type }) => type === "tool_use" || type === "tool_result"));
  if (used && names.length === 0) yield "requests which include `tool_use` or `tool_result` blocks must define tools";
  if (choice !== undefined && names.length === 0) yield "tool_choice may only be specified while providing tools";
  if (new Set(names).size !== names.length) yield "tools: tool names must be unique";
  for (const { name, type, input_schema: schema } of list(tools)) {
    if (type !== undefined && type !== "custom") continue;
    if (typeof name !== "string" || !namePattern.test(name)) yield `tools: the name ${String(name)} must match ${namePattern}`;
    if (fields(schema)["type"] !== "object") yield `tools: the input_schema of ${String(name)} must have the type object`;
  }
  const forced = fields(choice);
  if (forced["type"] === "tool" && !names.includes(forced["name"])) yield `tool_choice: ${String(forced["name"])} is not among the tools`;
}

/** Every block of a request that may be marked. */
function marked({ system, tools, messages }: Fields): number {
  const blocks = list(messages).flatMap(({ content }) => blocksOf(content));
  const inner = blocks.flatMap(({ content }) => (Array.isArray(content) ? list(content) : []));
  return [...blocksOf(system), ...list(tools), ...blocks, ...inner].filter(({ cache_control: mark }) => mark !== undefined && mark !== null).length;
}

function* ofRequest(body: Fields): Generator<string> {
  if (typeof body["model"] !== "string" || body["model"] === "") yield "model: field required";
  if (!Number.isInteger(body["max_tokens"]) || Number(body["max_tokens"]) < 1) yield "max_tokens: field required, at least 1";
  if (body["system"] !== undefined) for (const block of blocksOf(body["system"])) yield* ofBlock(block, "system");
  if (marked(body) > breakpoints) yield `a maximum of ${breakpoints} blocks with cache_control may be provided, found ${marked(body)}`;
  yield* ofTools(body);
  const messages = list(body["messages"]);
  if (messages.length === 0) yield "messages: at least one message is required";
  for (const [n, { role, content }] of messages.entries()) {
    if (role !== "user" && role !== "assistant" && role !== "system") yield `messages.${n}: unexpected role ${String(role)}`;
    const blocks = blocksOf(content);
    if (blocks.length === 0) yield `messages.${n}: all messages must have non-empty content`;
    for (const [position, block] of blocks.entries()) yield* ofBlock(block, `messages.${n}.content.${position}`);
  }
  yield* pairing(merged(messages));
}

/**
 * The rules of Anthropic Messages that a request body breaks, in the words of its errors.
 * Sources: https://platform.claude.com/docs/en/api/messages, claude-code#8210, #18947, #63284, langchain#36611, anthropic-sdk-python#494.
 */
export const violations = (body: unknown): readonly string[] => (isObject(body) ? [...ofRequest(body)] : ["the body is no JSON object"]);
