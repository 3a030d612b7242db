import type { Adapter, FileBlock, ImageBlock } from "@fullstop/core";
import {
  type ContentBlock,
  contentBlocks,
  describeMedia,
  type MediaContent,
  type MediaData,
  type MediaReference,
  omissionNote,
} from "@fullstop/core/adapter";
import type { FileData, FunctionResponsePart, Part } from "@google/genai";
import { isGemini3OrLater } from "./models.ts";

type Media = (ImageBlock | FileBlock) & MediaData;

/**
 * https://ai.google.dev/gemini-api/docs/image-understanding, document-processing, audio,
 * video-understanding
 */
const promptTypes = /^(image\/(png|jpeg|webp|heic|heif)|application\/pdf|audio\/|video\/|text\/)/;
/** https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
const resultTypes = /^(image\/(png|jpeg|webp)|application\/pdf|text\/plain)$/;
/** Media types of text files that do not begin with `text/`. */
const textTypes = /^application\/(.*\+)?(json|xml|yaml|toml|javascript|typescript|sql)$/;

/** The content of a user message. A line of text replaces what the API refuses. */
export const encodeContent = (content: MediaContent): readonly Part[] =>
  contentBlocks(content).flatMap(encodeContentBlock);

export function encodeContentBlock(block: ContentBlock): readonly Part[] {
  if (block.type === "text") return block.text === "" ? [] : [{ text: block.text }];
  if (block.data === undefined) return [filePart(block)];
  return [
    promptTypes.test(mimeType(block))
      ? mediaPart(block)
      : { text: omissionNote(describeMedia(block)) },
  ];
}

/**
 * The content of a tool result: its text, and the media that go beside it.
 * `acceptsMedia`: the model accepts media in results.
 */
export function encodeResult(
  content: MediaContent,
  acceptsMedia: boolean,
): { readonly text: string; readonly media: FunctionResponsePart[] } {
  const lines: string[] = [];
  const media: FunctionResponsePart[] = [];
  for (const block of contentBlocks(content)) {
    if (block.type === "text") lines.push(block.text);
    else if (block.data === undefined) media.push(filePart(block));
    else if (acceptsMedia && resultTypes.test(mimeType(block))) media.push(mediaPart(block));
    else lines.push(omissionNote(describeMedia(block)));
  }
  return { text: lines.join("\n"), media };
}

/**
 * What a request needs so that the API loads a file by its URI. Vertex AI requires its media type.
 * Only Vertex AI takes a URI in a result.
 * https://ai.google.dev/gemini-api/docs/file-input-methods,
 * https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/Content
 */
export const referenceRule =
  (model: string, vertexai: boolean): NonNullable<Adapter["refuseReference"]> =>
  ({ mediaType }, place) => {
    if (place === "tool" && !isGemini3OrLater(model))
      return "before Gemini 3 the result of a tool holds text only";
    if (place === "tool" && !vertexai)
      return "the Gemini API takes the images and files in the result of a tool only as bytes";
    return vertexai && mediaType === undefined
      ? "Vertex AI needs the `mediaType` of an image or a file with a URL"
      : undefined;
  };

const filePart = (block: MediaReference): { readonly fileData: FileData } => ({
  fileData: {
    fileUri: block.url ?? fileUri(block.fileId),
    ...(block.mediaType !== undefined && { mimeType: plainTextOr(block.mediaType) }),
  },
});

/** A file has a `name`, such as `files/abc`, and a `uri`. A request needs the latter. */
const fileUri = (id: string): string =>
  id.startsWith("files/") ? `https://generativelanguage.googleapis.com/v1beta/${id}` : id;

const mimeType = ({ mediaType }: Media): string => plainTextOr(mediaType);
const plainTextOr = (mediaType: string): string =>
  textTypes.test(mediaType) ? "text/plain" : mediaType;

const mediaPart = (block: Media): { inlineData: { mimeType: string; data: string } } => ({
  inlineData: { mimeType: mimeType(block), data: block.data },
});
