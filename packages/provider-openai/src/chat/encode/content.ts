import type { FileBlock, MediaData } from "@fullstop/core";
import { decodeTextFile } from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { dataUrl, isImageType, type MediaContent, omissionNote } from "../../shared/media.ts";
import type { RequestQuirks } from "../quirks.ts";
import { imageUrls } from "./references.ts";

export type ContentPart = OpenAI.ChatCompletionContentPart;

export const textPart = (text: string): OpenAI.ChatCompletionContentPartText => ({
  type: "text",
  text,
});
export const isTextPart = (part: ContentPart): part is OpenAI.ChatCompletionContentPartText =>
  part.type === "text";

/**
 * Encodes what a user message or a tool result holds. A note replaces content that the host does
 * not accept.
 */
export function encodeContentParts(
  content: MediaContent,
  { files, reference = imageUrls }: RequestQuirks,
): readonly ContentPart[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return blocks.flatMap((block): readonly ContentPart[] => {
    if (block.type === "text") return block.text === "" ? [] : [textPart(block.text)];
    if (block.data === undefined) {
      const part = reference(block);
      return [typeof part === "string" ? omitted(`The ${block.type}`) : part];
    }
    return [block.type === "image" ? encodeImage(block) : encodeFile(block, files === true)];
  });
}

/** Joins parts to one string if all are text: some hosts accept only a string. */
export const joinTextParts = (parts: readonly ContentPart[]): string | ContentPart[] =>
  parts.every(isTextPart) ? parts.map(({ text }) => text).join("\n\n") : [...parts];

function encodeImage(image: MediaData): ContentPart {
  if (!isImageType(image.mediaType)) return omitted(`An image of type ${image.mediaType}`);
  return { type: "image_url", image_url: { url: dataUrl(image) } };
}

function encodeFile(file: FileBlock & MediaData, acceptsFiles: boolean): ContentPart {
  const { mediaType, data, name = "file" } = file;
  if (isImageType(mediaType)) return encodeImage(file);
  if (acceptsFiles && mediaType === "application/pdf")
    return { type: "file", file: { filename: name, file_data: dataUrl(file) } };
  const text = isTextType(mediaType) ? decodeTextFile(data) : undefined;
  return text === undefined
    ? omitted(`The file ${name} of type ${mediaType}`)
    : textPart(`[The file ${name}:]\n${text}`);
}

const isTextType = (mediaType: string): boolean =>
  /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|sql)\b/.test(mediaType);

const omitted = (what: string): ContentPart => textPart(omissionNote(what));
