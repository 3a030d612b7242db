import type Anthropic from "@anthropic-ai/sdk";
import type { FileBlock, ImageBlock, MediaData, MediaReference, TextBlock } from "@fullstop/core";
import { decodeTextFile, isImageReference } from "@fullstop/core/adapter";

export type ContentParam =
  | Anthropic.TextBlockParam
  | Anthropic.ImageBlockParam
  | Anthropic.DocumentBlockParam;
type Content = string | readonly (TextBlock | ImageBlock | FileBlock)[];

/** The API refuses a text block without a visible character. */
export const isBlank = (text: string): boolean => text.trim() === "";
export const textParam = (text: string): Anthropic.TextBlockParam => ({ type: "text", text });

/** The content of a user message or a tool result. A line of text replaces what the API refuses. */
export function encodeContent(content: Content): readonly ContentParam[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return blocks.flatMap((block): readonly ContentParam[] => {
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

function encodeImage({ mediaType, data }: MediaData): ContentParam {
  if (!isImageType(mediaType)) return omitted(`An image of type ${mediaType}`);
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

function encodeFile(file: FileBlock & MediaData): ContentParam {
  const { mediaType, data, name } = file;
  const title = titleOf(file);
  if (isImageType(mediaType)) return encodeImage(file);
  if (mediaType === "application/pdf")
    return { type: "document", source: { type: "base64", media_type: mediaType, data }, ...title };
  const text = isTextType(mediaType) ? decodeTextFile(data) : undefined;
  if (text === undefined || isBlank(text))
    return omitted(`The file ${name ?? "without a name"} of type ${mediaType}`);
  return {
    type: "document",
    source: { type: "text", media_type: "text/plain", data: text },
    ...title,
  };
}

const isTextType = (mediaType: string): boolean =>
  /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|sql)\b/.test(mediaType);

const omitted = (what: string): Anthropic.TextBlockParam =>
  textParam(`[${what} is left out here: it cannot be sent to this model.]`);
