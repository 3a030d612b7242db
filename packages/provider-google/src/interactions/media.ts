import {
  type ContentBlock,
  decodeTextFile,
  describeMedia,
  omissionNote,
} from "@fullstop/core/adapter";
import type { Interactions, Part } from "@google/genai";

type MediaPart = Pick<Part, "text" | "inlineData" | "fileData">;
type Kind = "image" | "audio" | "video" | "document";

/**
 * A part of generateContent as content of a step. Documents of plain text are not in the SDK's
 * type, so a text file becomes text.
 */
export function toContent(part: MediaPart, block?: ContentBlock): Interactions.Content {
  const { text, inlineData, fileData } = part;
  if (text !== undefined) return { type: "text", text };
  const mimeType = inlineData?.mimeType ?? fileData?.mimeType;
  if (inlineData !== undefined && mimeType?.startsWith("text/"))
    return { type: "text", text: textOfFile(inlineData, block) };
  return {
    type: kindOf(mimeType, block),
    ...(mimeType !== undefined && { mime_type: mimeType }),
    ...(inlineData?.data !== undefined && { data: inlineData.data }),
    ...(fileData?.fileUri !== undefined && { uri: fileData.fileUri }),
  };
}

const kinds: readonly Kind[] = ["image", "audio", "video"];

function kindOf(mimeType: string | undefined, block: ContentBlock | undefined): Kind {
  const kind = kinds.find((one) => mimeType?.startsWith(`${one}/`));
  return kind ?? (block?.type === "image" ? "image" : "document");
}

function textOfFile(
  { mimeType = "text/plain", data = "" }: NonNullable<Part["inlineData"]>,
  block: ContentBlock | undefined,
): string {
  const text = decodeTextFile({ mediaType: mimeType, data });
  if (text !== undefined && text !== "") return text;
  return omissionNote(
    block === undefined || block.type === "text" ? "A file" : describeMedia(block),
  );
}
