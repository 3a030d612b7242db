import type { FileBlock, ImageBlock, Message, TextBlock } from "@fullstop/core";
import { isObject } from "../util/values.ts";

/** Blocks that a person or a tool may give. */
export type ContentBlock = TextBlock | ImageBlock | FileBlock;

/**
 * Why a value is not a message list; the text is appended to an error after a colon. Undefined if
 * it is one. Messages from JSON and from JavaScript are not checked by the compiler.
 */
export function describeInvalid(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return "expected an array";
  const flaws = messages.map(describeInvalidMessage);
  const position = flaws.findIndex((flaw) => flaw !== undefined);
  return position < 0 ? undefined : `message ${position} ${flaws[position]}`;
}

const contentMayBeText: Readonly<Record<Message["role"], boolean>> = {
  user: true,
  assistant: false,
  tool: false,
};
const isRole = (role: unknown): role is Message["role"] =>
  typeof role === "string" && Object.hasOwn(contentMayBeText, role);
const isTypedBlock = (block: unknown): boolean =>
  isObject(block) && typeof block["type"] === "string";

function describeInvalidMessage(message: unknown): string | undefined {
  if (!isObject(message)) return "is not an object";
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

const requiredFields: Readonly<Record<ContentBlock["type"], readonly string[]>> = {
  text: ["text"],
  image: ["mediaType", "data"],
  file: ["mediaType", "data"],
};
const blockNames: Readonly<Record<ContentBlock["type"], string>> = {
  text: "a text block",
  image: "an image block",
  file: "a file block",
};
const blockShapes: Readonly<Record<ContentBlock["type"], string>> = {
  text: '{ type: "text", text }',
  image: '{ type: "image", mediaType, data }, with `data` in base64',
  file: '{ type: "file", mediaType, data, name }, with `data` in base64',
};
const isBlockType = (type: unknown): type is ContentBlock["type"] =>
  typeof type === "string" && Object.hasOwn(requiredFields, type);

function describeInvalidBlock(block: unknown): string | undefined {
  if (!isObject(block)) return "a value that is not a block";
  const { type, data } = block;
  if (!isBlockType(type)) {
    const types = Object.keys(requiredFields).join(", ");
    return `a block of type ${JSON.stringify(type)}; the types are ${types}`;
  }
  const missing = requiredFields[type].find((field) => typeof block[field] !== "string");
  if (missing !== undefined) {
    const advice = "url" in block ? ". A `url` is not supported: load it, and give its bytes" : "";
    return `${blockNames[type]} without \`${missing}\`: the shape is ${blockShapes[type]}${advice}`;
  }
  if (typeof data === "string" && data.startsWith("data:"))
    return `${blockNames[type]} whose \`data\` is a data URL: give only the base64 after the comma, and the type as \`mediaType\``;
  return undefined;
}
