import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { AssistantBlock } from "@fullstop/core";
import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { base64 } from "./base64.ts";

export type AssistantPart = Extract<
  LanguageModelV4Message,
  { role: "assistant" }
>["content"][number];

export type NativeBlock = Extract<AssistantBlock, { readonly type: "native" }>;

/** A file that a model made. */
interface NativeFile {
  readonly mediaType: string;
  /** In base64. */
  readonly data: string;
  /** The block without the file. */
  readonly rest: Fields;
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly mediaType: (block: Fields) => unknown;
}

/** Where the blocks of the providers have a file in base64. */
const places: readonly Place[] = [
  {
    path: ["inlineData", "data"],
    mediaType: (block) => fieldsOf(block["inlineData"])["mimeType"],
  },
  {
    path: ["result"],
    mediaType: ({ type, output_format = "png" }) =>
      type === "image_generation_call" && `image/${output_format}`,
  },
  {
    path: ["image", "source", "bytes"],
    mediaType: (block) => `image/${fieldsOf(block["image"])["format"]}`,
  },
  {
    path: ["content", 0, "data"],
    mediaType: ({ content }) => Array.isArray(content) && fieldsOf(content[0])["mime_type"],
  },
];

const at = (block: unknown, path: Place["path"]): unknown =>
  path.reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], block);

function replaced(block: unknown, [name, ...path]: Place["path"], value: string): unknown {
  if (name === undefined) return value;
  const inner = replaced((block as Fields | undefined)?.[name], path, value);
  return Array.isArray(block)
    ? block.map((item, index) => (index === name ? inner : item))
    : { ...fieldsOf(block), [name]: inner };
}

/** The file of a block that only its provider understands. */
export function fileOf(block: unknown): NativeFile | undefined {
  if (!isFields(block)) return undefined;
  for (const { path, mediaType: typeOf } of places) {
    const data = at(block, path);
    const mediaType = typeOf(block);
    if (typeof data === "string" && data !== "" && typeof mediaType === "string")
      return { mediaType, data, rest: fieldsOf(replaced(block, path, "")) };
  }
  return undefined;
}

/** The block with the file that a part of a prompt has. */
export function withFile(block: NativeBlock, part: AssistantPart): NativeBlock {
  if (part.type !== "file" || part.data.type !== "data") return block;
  const { data } = part.data;
  const place = places.find(({ path }) => at(block.data, path) === "");
  const text = typeof data === "string" ? data : base64(data);
  return place === undefined ? block : { ...block, data: replaced(block.data, place.path, text) };
}
