import type Anthropic from "@anthropic-ai/sdk";
import type { FileBlock, ImageBlock } from "@fullstop/core";
import {
  contentBlocks,
  decodeTextFile,
  describeMedia,
  isImageReference,
  type MediaContent,
  type MediaData,
  type MediaReference,
  omissionNote,
} from "@fullstop/core/adapter";

export type ContentParam =
  | Anthropic.TextBlockParam
  | Anthropic.ImageBlockParam
  | Anthropic.DocumentBlockParam;

/** The API refuses a text block without a visible character. */
export const isBlank = (text: string): boolean => text.trim() === "";
export const textParam = (text: string): Anthropic.TextBlockParam => ({ type: "text", text });

/** The content of a user message or a tool result. A line of text replaces what the API refuses. */
export function encodeContent(content: MediaContent): readonly ContentParam[] {
  return contentBlocks(content).flatMap((block): readonly ContentParam[] => {
    if (block.type === "text") return isBlank(block.text) ? [] : [textParam(block.text)];
    if (block.data === undefined) return [encodeReference(block)];
    return [block.type === "image" ? encodeImage(block) : encodeFile(block)];
  });
}

/**
 * The API loads images and PDF files by their URL, and every file of its Files API by its id. The
 * latter needs no beta header any more (anthropic-sdk-typescript, CHANGELOG: "Files and Skills APIs
 * are now GA").
 * https://platform.claude.com/docs/en/build-with-claude/vision, pdf-support, files
 */
export function refuseReference(block: MediaReference): string | undefined {
  const { url, mediaType = "application/pdf" } = block;
  return url === undefined || isImageReference(block) || mediaType === "application/pdf"
    ? undefined
    : `Claude loads only images and PDF files by their URL, not ${mediaType}`;
}

function encodeReference(block: MediaReference): ContentParam {
  const source: Anthropic.URLImageSource | Anthropic.FileImageSource =
    block.url === undefined
      ? { type: "file", file_id: block.fileId }
      : { type: "url", url: block.url };
  if (isImageReference(block)) return { type: "image", source };
  return { type: "document", source, ...titleOf(block) };
}

const titleOf = (block: ImageBlock | FileBlock): Pick<Anthropic.DocumentBlockParam, "title"> =>
  block.type === "image" || block.name === undefined ? {} : { title: block.name };

/** An error result may hold only text. */
export function toTextParam(param: ContentParam): Anthropic.TextBlockParam {
  if (param.type === "text") return param;
  const kind = param.type === "image" ? "An image" : "A document";
  return textParam(`[${kind} is left out here: an error result holds text only.]`);
}

type ImageType = Anthropic.Base64ImageSource["media_type"];
const imageTypes: Readonly<Record<ImageType, true>> = {
  "image/jpeg": true,
  "image/png": true,
  "image/gif": true,
  "image/webp": true,
};
const isImageType = (mediaType: string): mediaType is ImageType =>
  Object.hasOwn(imageTypes, mediaType);

function encodeImage(image: (ImageBlock | FileBlock) & MediaData): ContentParam {
  const { mediaType, data } = image;
  if (!isImageType(mediaType)) return omitted(image);
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

function encodeFile(file: FileBlock & MediaData): ContentParam {
  const { mediaType, data } = file;
  const title = titleOf(file);
  if (isImageType(mediaType)) return encodeImage(file);
  if (mediaType === "application/pdf")
    return { type: "document", source: { type: "base64", media_type: mediaType, data }, ...title };
  const text = decodeTextFile(file);
  if (text === undefined || isBlank(text)) return omitted(file);
  return {
    type: "document",
    source: { type: "text", media_type: "text/plain", data: text },
    ...title,
  };
}

const omitted = (block: ImageBlock | FileBlock): Anthropic.TextBlockParam =>
  textParam(omissionNote(describeMedia(block)));
