import type { FileBlock, ImageBlock, MediaData, TextBlock } from "@fullstop/core";
import { decodeTextFile } from "@fullstop/core/adapter";

/** What a user message or a tool result holds. */
type Content = string | readonly (TextBlock | ImageBlock | FileBlock)[];

/** The two parts of a message: its text, and its images in base64 without a media type. */
export interface EncodedContent {
  readonly content: string;
  readonly images?: readonly string[];
}

/**
 * The server decodes these, and no SVG, GIF or AVIF: `model/model.go` of
 * https://github.com/ollama/ollama; ollama/ollama#17755.
 */
const imageTypes = /^image\/(png|jpe?g|webp)$/;
const textTypes = /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|sql)\b/;

/** Images become `images`, text files text. A line of text replaces what the API cannot take. */
export function encodeContent(content: Content): EncodedContent {
  if (typeof content === "string") return { content };
  const images = content.flatMap((block) => (isImage(block) ? [block.data] : []));
  const texts = content.flatMap((block) => (isImage(block) ? [] : [textOf(block)]));
  return {
    content: texts.filter((text) => text !== "").join("\n\n"),
    ...(images.length > 0 && { images }),
  };
}

type Block = Exclude<Content, string>[number];

const isImage = (block: Block): block is (ImageBlock | FileBlock) & MediaData =>
  block.type !== "text" && block.data !== undefined && imageTypes.test(block.mediaType);

function textOf(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "image") return omitted(`An image of type ${block.mediaType ?? "unknown"}`);
  const { name = "without a name", mediaType = "unknown", data } = block;
  const text = data !== undefined && textTypes.test(mediaType) ? decodeTextFile(data) : undefined;
  return text === undefined
    ? omitted(`The file ${name} of type ${mediaType}`)
    : `[The file ${name}:]\n${text}`;
}

const omitted = (what: string): string =>
  `[${what} is left out here: it cannot be sent to this model.]`;
