import type { FileBlock, ImageBlock, TextBlock, ToolResultBlock } from "@fullstop/core";
import {
  isImageReference,
  type MediaContent,
  type MediaReference,
  omissionNote,
  resultText,
} from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { dataUrl, isImageType } from "../values.ts";

type InputPart =
  | OpenAI.Responses.ResponseInputText
  | OpenAI.Responses.ResponseInputImage
  | OpenAI.Responses.ResponseInputFile;

export const inputText = (text: string): OpenAI.Responses.ResponseInputText => ({
  type: "input_text",
  text,
});

/** A note replaces content that the API does not accept. */
export function encodeInputParts(content: MediaContent): InputPart[] {
  const parts = typeof content === "string" ? [inputText(content)] : content.map(encodeInputPart);
  return parts.length > 0 ? parts : [inputText("")];
}

export const outputText = ({
  content,
  isError,
}: Pick<ToolResultBlock, "content" | "isError">): string =>
  resultText(textsOf(encodeInputParts(content)).join("\n"), isError);

export const textsOf = (parts: readonly InputPart[]): readonly string[] =>
  parts.flatMap((part) => (part.type === "input_text" ? [part.text] : []));

function encodeInputPart(block: TextBlock | ImageBlock | FileBlock): InputPart {
  if (block.type === "text") return inputText(block.text);
  if (block.data === undefined) return encodeReference(block);
  const { mediaType } = block;
  if (isImageType(mediaType))
    return { type: "input_image", detail: "auto", image_url: dataUrl(block) };
  const name = block.type === "file" && block.name !== undefined ? block.name : "without a name";
  if (block.type === "image" || /^(image|audio|video)\//.test(mediaType))
    return inputText(omissionNote(`The ${block.type} ${name} of type ${mediaType}`));
  return {
    type: "input_file",
    filename: block.name ?? `file.${mediaType.split(/[/+]/).at(-1)}`,
    file_data: dataUrl(block),
  };
}

/**
 * The API loads images and files by URL and by the id of its Files API. A name is sent only with
 * bytes. https://developers.openai.com/api/docs/guides/images-vision, file-inputs
 */
function encodeReference(block: MediaReference): InputPart {
  const { fileId } = block;
  if (isImageReference(block))
    return {
      type: "input_image",
      detail: "auto",
      ...(fileId === undefined ? { image_url: block.url } : { file_id: fileId }),
    };
  return {
    type: "input_file",
    ...(fileId === undefined ? { file_url: block.url } : { file_id: fileId }),
  };
}
