import type { FileBlock, ImageBlock } from "@fullstop/core";
import {
  decodeTextFile,
  describeMedia,
  type MediaContent,
  type MediaData,
  omissionNote,
} from "@fullstop/core/adapter";

export interface EncodedContent {
  readonly content: string;
  readonly images?: readonly string[];
}

/**
 * The server decodes these, and no SVG, GIF or AVIF: `model/model.go` of
 * https://github.com/ollama/ollama; ollama/ollama#17755.
 */
const imageTypes = /^image\/(png|jpe?g|webp)$/;

/** Images become `images`, text files text. A line of text replaces what the API cannot take. */
export function encodeContent(content: MediaContent): EncodedContent {
  if (typeof content === "string") return { content };
  const images = content.flatMap((block) => (isImage(block) ? [block.data] : []));
  const texts = content.flatMap((block) => (isImage(block) ? [] : [textOf(block)]));
  return {
    content: texts.filter((text) => text !== "").join("\n\n"),
    ...(images.length > 0 && { images }),
  };
}

type Block = Exclude<MediaContent, string>[number];

const isImage = (block: Block): block is (ImageBlock | FileBlock) & MediaData =>
  block.type !== "text" && block.data !== undefined && imageTypes.test(block.mediaType);

function textOf(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "file" && block.data !== undefined) {
    const text = decodeTextFile(block);
    if (text !== undefined) return `[The file ${block.name ?? "without a name"}:]\n${text}`;
  }
  return omissionNote(describeMedia(block));
}
