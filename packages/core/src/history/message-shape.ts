import type { ContentBlock, FileBlock, ImageBlock, Message } from "../contract/message.ts";
import { type Fields, isRecord } from "../json/fields.ts";
import { createFold } from "./fold.ts";

type MediaType = (ImageBlock | FileBlock)["type"];
type Source = "data" | "url" | "fileId";

const names: Readonly<Record<MediaType, string>> = {
  image: "an image block",
  file: "a file block",
};
/** What a block has besides its source, as it is written in an example. */
const extras: Readonly<Record<MediaType, string>> = { image: "", file: ", name" };

const isMediaType = (type: unknown): type is MediaType =>
  typeof type === "string" && Object.hasOwn(names, type);

/** What is wrong with an image or a file block; the text follows "contains". */
function describeInvalidMedia(type: MediaType, block: Fields): string | undefined {
  const given = sources.filter((source) => block[source] !== undefined);
  const [source, other] = given;
  if (source === undefined)
    return `${names[type]} without \`data\`, \`url\` or \`fileId\`: ${shapesOf(type)}`;
  if (other !== undefined)
    return `${names[type]} with \`${source}\` and \`${other}\`: give exactly one of them`;
  const misspelt = Object.keys(block).find((key) => /^(mime_?type|media_type)$/i.test(key));
  if (block["mediaType"] === undefined && misspelt !== undefined)
    return `${names[type]} without \`mediaType\`, but with \`${misspelt}\`: ${shapesOf(type)}`;
  if (block["mediaType"] !== undefined && typeof block["mediaType"] !== "string")
    return `${names[type]} whose \`mediaType\` is not a string: ${shapesOf(type)}`;
  return describeSource[source](type, block);
}

const sources: readonly Source[] = ["data", "url", "fileId"];

const describeSource: Readonly<
  Record<Source, (type: MediaType, block: Fields) => string | undefined>
> = {
  data(type, block) {
    const missing = missingText(block, ["data", "mediaType"]);
    if (missing !== undefined) return `${names[type]} without \`${missing}\`: ${shapesOf(type)}`;
    if (block["data"] === "") return `${names[type]} whose \`data\` is empty`;
    return isDataUrl(block["data"])
      ? `${names[type]} whose \`data\` is a data URL: give only the base64 after the comma, and the type as \`mediaType\``
      : undefined;
  },
  url(type, { url }) {
    const name = `${names[type]} whose \`url\``;
    if (typeof url !== "string") return `${name} is not a string: ${shapesOf(type)}`;
    if (isDataUrl(url))
      return `${name} is a data URL: give the base64 after the comma as \`data\`, and the type as \`mediaType\``;
    if (url.startsWith("gs:"))
      return `${name} is an address of Google Cloud Storage: give it as \`fileId\`, with \`provider: "google"\``;
    return /^(?:https?|s3):\/\//i.test(url) && URL.canParse(url)
      ? undefined
      : `${name} is not an address that begins with https://, http:// or s3://. Load the file, and give its bytes in base64 as \`data\``;
  },
  fileId(type, block) {
    const missing = missingText(block, ["fileId", "provider"]);
    return missing && `${names[type]} without \`${missing}\`: ${shapesOf(type)}`;
  },
};

const missingText = (block: Fields, fields: readonly string[]): string | undefined =>
  fields.find((field) => typeof block[field] !== "string");
const isDataUrl = (value: unknown): boolean => typeof value === "string" && /^data:/i.test(value);

const shapesOf = (type: MediaType): string => {
  const shape = (fields: string): string => `{ type: "${type}", ${fields}${extras[type]} }`;
  return `the shape is ${shape("mediaType, data")} with \`data\` in base64, ${shape("url")}, or ${shape("fileId, provider")}`;
};

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
