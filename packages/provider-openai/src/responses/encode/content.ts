import type { FileBlock, ImageBlock, TextBlock, ToolResultBlock } from "@fullstop/core";
import type OpenAI from "openai";

export type ContentParam =
  | OpenAI.Responses.ResponseInputText
  | OpenAI.Responses.ResponseInputImage
  | OpenAI.Responses.ResponseInputFile;
type Content = string | readonly (TextBlock | ImageBlock | FileBlock)[];

export const inputText = (text: string): OpenAI.Responses.ResponseInputText => ({
  type: "input_text",
  text,
});

/** What a user or a tool says. What the API does not take becomes a line that says what is missing. */
export function encodeContent(content: Content): ContentParam[] {
  const parts = typeof content === "string" ? [inputText(content)] : content.map(encodeBlock);
  return parts.length > 0 ? parts : [inputText("")];
}

/** All the text of a result. */
export function outputText({
  content,
  isError,
}: Pick<ToolResultBlock, "content" | "isError">): string {
  const said = textsOf(encodeContent(content)).join("\n");
  return said === "" && isError ? "(The tool failed and said nothing.)" : said;
}
export const textsOf = (parts: readonly ContentParam[]): readonly string[] =>
  parts.flatMap((part) => (part.type === "input_text" ? [part.text] : []));

function encodeBlock(block: TextBlock | ImageBlock | FileBlock): ContentParam {
  if (block.type === "text") return inputText(block.text);
  if (imageTypes.has(block.mediaType))
    return { type: "input_image", detail: "auto", image_url: dataUrl(block) };
  const name = block.type === "file" && block.name !== undefined ? block.name : "without a name";
  if (block.type === "image" || /^(image|audio|video)\//.test(block.mediaType)) {
    return inputText(
      `[The ${block.type} ${name} of type ${block.mediaType} is left out here: it cannot be sent to this model.]`,
    );
  }
  return {
    type: "input_file",
    filename: block.name ?? `file.${block.mediaType.split(/[/+]/).at(-1)}`,
    file_data: dataUrl(block),
  };
}

/** https://platform.openai.com/docs/guides/images-vision */
const imageTypes: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
]);
const dataUrl = ({ mediaType, data }: ImageBlock | FileBlock): string =>
  `data:${mediaType};base64,${data}`;
