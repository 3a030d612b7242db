import type Anthropic from "@anthropic-ai/sdk";
import type { FileBlock, ImageBlock, TextBlock } from "@fullstop/core";

export type ContentParam =
  | Anthropic.TextBlockParam
  | Anthropic.ImageBlockParam
  | Anthropic.DocumentBlockParam;
type Content = string | readonly (TextBlock | ImageBlock | FileBlock)[];

/** The API refuses a text block without a visible character. */
export const isBlank = (text: string): boolean => text.trim() === "";
export const text = (words: string): Anthropic.TextBlockParam => ({ type: "text", text: words });

/** What a user or a tool says. What the API does not take becomes a line that says what is missing. */
export function encodeContent(content: Content): readonly ContentParam[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return blocks.flatMap((block): readonly ContentParam[] => {
    if (block.type === "text") return isBlank(block.text) ? [] : [text(block.text)];
    return [block.type === "image" ? encodeImage(block) : encodeFile(block)];
  });
}

/** An error result takes text only. */
export const textOnly = (block: ContentParam): Anthropic.TextBlockParam =>
  block.type === "text"
    ? block
    : text(
        `[${block.type === "image" ? "An image" : "A document"} is left out here: an error result holds text only.]`,
      );

type ImageType = Anthropic.Base64ImageSource["media_type"];
const imageTypes: Readonly<Record<ImageType, true>> = {
  "image/jpeg": true,
  "image/png": true,
  "image/gif": true,
  "image/webp": true,
};
const isImageType = (mediaType: string): mediaType is ImageType =>
  Object.hasOwn(imageTypes, mediaType);

function encodeImage({ mediaType, data }: ImageBlock): ContentParam {
  if (!isImageType(mediaType)) return leftOut(`An image of type ${mediaType}`);
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

function encodeFile({ mediaType, data, name }: FileBlock): ContentParam {
  const title = name === undefined ? {} : { title: name };
  if (isImageType(mediaType)) return encodeImage({ type: "image", mediaType, data });
  if (mediaType === "application/pdf")
    return { type: "document", source: { type: "base64", media_type: mediaType, data }, ...title };
  const words = isTextType(mediaType) ? decodeText(data) : undefined;
  if (words === undefined || isBlank(words))
    return leftOut(`The file ${name ?? "without a name"} of type ${mediaType}`);
  return {
    type: "document",
    source: { type: "text", media_type: "text/plain", data: words },
    ...title,
  };
}

const isTextType = (mediaType: string): boolean =>
  /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|sql)\b/.test(mediaType);

function decodeText(base64: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

const leftOut = (what: string): Anthropic.TextBlockParam =>
  text(`[${what} is left out here: it cannot be sent to this model.]`);
