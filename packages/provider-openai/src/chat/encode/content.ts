import type { FileBlock, ImageBlock, TextBlock } from "@fullstop/core";
import type OpenAI from "openai";

export type Part = OpenAI.ChatCompletionContentPart;
type Content = string | readonly (TextBlock | ImageBlock | FileBlock)[];

export const textPart = (text: string): OpenAI.ChatCompletionContentPartText => ({
  type: "text",
  text,
});
export const isText = (part: Part): part is OpenAI.ChatCompletionContentPartText =>
  part.type === "text";

/** What a user or a tool says. What the host does not take becomes a line that says what is missing. */
export function encodeContent(content: Content, files: boolean): readonly Part[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return blocks.flatMap((block): readonly Part[] => {
    if (block.type === "text") return block.text === "" ? [] : [textPart(block.text)];
    return [block.type === "image" ? encodeImage(block) : encodeFile(block, files)];
  });
}

/** A text alone goes as one: not every host takes parts. */
export const asContent = (parts: readonly Part[]): string | Part[] =>
  parts.every(isText) ? parts.map(({ text }) => text).join("\n\n") : [...parts];

const imageTypes = /^image\/(jpeg|png|gif|webp)$/;

function encodeImage({ mediaType, data }: Pick<ImageBlock, "mediaType" | "data">): Part {
  if (!imageTypes.test(mediaType)) return leftOut(`An image of type ${mediaType}`);
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } };
}

function encodeFile({ mediaType, data, name = "file" }: FileBlock, files: boolean): Part {
  if (imageTypes.test(mediaType)) return encodeImage({ mediaType, data });
  if (files && mediaType === "application/pdf") {
    return {
      type: "file",
      file: { filename: name, file_data: `data:${mediaType};base64,${data}` },
    };
  }
  const words = isTextType(mediaType) ? decodeText(data) : undefined;
  return words === undefined
    ? leftOut(`The file ${name} of type ${mediaType}`)
    : textPart(`[The file ${name}:]\n${words}`);
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

const leftOut = (what: string): Part =>
  textPart(`[${what} is left out here: it cannot be sent to this model.]`);
