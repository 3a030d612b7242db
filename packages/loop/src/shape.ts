import type { FileBlock, ImageBlock, Message, TextBlock } from "@fullstop/core";

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Blocks that a person or a tool may give. */
export type ContentBlock = TextBlock | ImageBlock | FileBlock;

/** Why a value is not a list of messages, in words that follow a colon: JSON and other libraries do not keep to our types. */
export function strangeIn(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return "it is not a list";
  const strange = messages.map(strangeOf);
  const at = strange.findIndex((words) => words !== undefined);
  return at < 0 ? undefined : `message ${at} ${strange[at]}`;
}

const mayBeText: Readonly<Record<Message["role"], boolean>> = {
  user: true,
  assistant: false,
  tool: false,
};
const isRole = (role: unknown): role is Message["role"] =>
  typeof role === "string" && Object.hasOwn(mayBeText, role);
const isBlock = (block: unknown): boolean => isObject(block) && typeof block["type"] === "string";

function strangeOf(message: unknown): string | undefined {
  if (!isObject(message)) return "is not an object";
  const { role, content } = message;
  if (role === "system") return 'has the role "system": use the option `system` instead';
  if (!isRole(role))
    return `has the role ${JSON.stringify(role)}, which is none of ${Object.keys(mayBeText).join(", ")}`;
  if (mayBeText[role] && typeof content === "string") return undefined;
  if (!Array.isArray(content) || !content.every(isBlock))
    return `of role "${role}" has a content that is not a list of blocks`;
  const flaw = flawIn(content.flatMap((block) => givenIn(role, block)));
  return flaw && `holds ${flaw}`;
}

/** Blocks that a person or a tool gave; an adapter made the others. */
function givenIn(
  role: Message["role"],
  block: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  if (role === "user") return [block];
  return role === "tool" && Array.isArray(block["content"]) ? block["content"] : [];
}

/** What is wrong with the first of these blocks that is wrong, in words that follow "holds". */
export function flawIn(blocks: readonly unknown[]): string | undefined {
  for (const block of blocks) {
    const flaw = flawOf(block);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

const fieldsOf: Readonly<Record<ContentBlock["type"], readonly string[]>> = {
  text: ["text"],
  image: ["mediaType", "data"],
  file: ["mediaType", "data"],
};
const names: Readonly<Record<ContentBlock["type"], string>> = {
  text: "a text",
  image: "an image",
  file: "a file",
};
const shapes: Readonly<Record<ContentBlock["type"], string>> = {
  text: '{ type: "text", text }',
  image: '{ type: "image", mediaType, data }, where `data` is base64',
  file: '{ type: "file", mediaType, data, name }, where `data` is base64',
};
const isKnown = (type: unknown): type is ContentBlock["type"] =>
  typeof type === "string" && Object.hasOwn(fieldsOf, type);

function flawOf(block: unknown): string | undefined {
  if (!isObject(block)) return "something that is not a block";
  const { type, data } = block;
  if (!isKnown(type))
    return `a block of type ${JSON.stringify(type)}; the types are ${Object.keys(fieldsOf).join(", ")}`;
  const missing = fieldsOf[type].find((field) => typeof block[field] !== "string");
  const link =
    "url" in block ? ". It cannot be given by its `url` yet: load it, and give its bytes" : "";
  if (missing !== undefined)
    return `${names[type]} without \`${missing}\`: a block must be ${shapes[type]}${link}`;
  if (typeof data === "string" && data.startsWith("data:"))
    return `${names[type]} whose \`data\` is a data URL: give only the base64 after its comma, and its type as \`mediaType\``;
  return undefined;
}
