import type { ContentBlock, Message } from "../contract/message.ts";
import { isRecord } from "../json/fields.ts";
import { createFold } from "./fold.ts";
import { describeInvalidMedia, isMediaType } from "./media-shape.ts";

/**
 * Why a value is not a message list; the text is appended to an error after a colon. Undefined if
 * it is one. Messages from JSON and from JavaScript are not checked by the compiler.
 */
export const describeInvalidMessages = (messages: unknown): string | undefined =>
  findInvalidMessage(messages)?.flaw;

/** The same, and which message it is. */
export const findInvalidMessage = (messages: unknown): InvalidMessage | undefined =>
  Array.isArray(messages) ? findFirst(messages).found : { at: 0, flaw: "expected an array" };

interface InvalidMessage {
  readonly at: number;
  readonly flaw: string;
}

const findFirst = /* @__PURE__ */ createFold<{ count: number; found?: InvalidMessage }>({
  begin: () => ({ count: 0 }),
  add: (state, message) => {
    const at = state.count++;
    const flaw = state.found === undefined && describeInvalidMessage(message);
    if (flaw) state.found = { at, flaw: `message ${at} ${flaw}` };
  },
});

/** @throws TypeError if these are not messages. `option` is the name of what holds them. */
export function checkMessages(messages: unknown, option: string): void {
  const flaw = describeInvalidMessages(messages);
  if (flaw !== undefined) throw new TypeError(`Invalid \`${option}\`: ${flaw}.`);
}

const contentMayBeText: Readonly<Record<Message["role"], boolean>> = {
  user: true,
  assistant: false,
  tool: false,
};
const isRole = (role: unknown): role is Message["role"] =>
  typeof role === "string" && Object.hasOwn(contentMayBeText, role);
const isTypedBlock = (block: unknown): boolean =>
  isRecord(block) && typeof block["type"] === "string";

function describeInvalidMessage(message: unknown): string | undefined {
  if (!isRecord(message)) return "is not an object";
  const { role, content } = message;
  if (role === "system") return 'has the role "system": use the option `system` instead';
  if (!isRole(role)) {
    const roles = Object.keys(contentMayBeText).join(", ");
    return `has the role ${JSON.stringify(role)}; the roles are ${roles}`;
  }
  if (contentMayBeText[role] && typeof content === "string") return undefined;
  if (!Array.isArray(content) || !content.every(isTypedBlock))
    return `has the role "${role}" and a \`content\` that is not a list of blocks`;
  const flaw = describeInvalidBlocks(content.flatMap((block) => blocksToCheck(role, block)));
  return flaw && `contains ${flaw}`;
}

/** The blocks that a person or a tool gave. The others come from an adapter. */
function blocksToCheck(
  role: Message["role"],
  block: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  if (role === "user") return [block];
  return role === "tool" && Array.isArray(block["content"]) ? block["content"] : [];
}

/**
 * What is wrong with the first invalid block; the text follows "contains". Undefined if all are
 * valid.
 */
export function describeInvalidBlocks(blocks: readonly unknown[]): string | undefined {
  for (const block of blocks) {
    const flaw = describeInvalidBlock(block);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

const blockTypes: readonly ContentBlock["type"][] = ["text", "image", "file"];

function describeInvalidBlock(block: unknown): string | undefined {
  if (!isRecord(block)) return "a value that is not a block";
  const { type, text } = block;
  if (isMediaType(type)) return describeInvalidMedia(type, block);
  if (type !== "text")
    return `a block of type ${JSON.stringify(type)}; the types are ${blockTypes.join(", ")}`;
  return typeof text === "string"
    ? undefined
    : 'a text block without `text`: the shape is { type: "text", text }';
}
