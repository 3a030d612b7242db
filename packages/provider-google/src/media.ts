import type { FileBlock, ImageBlock, TextBlock } from "@fullstop/core";
import type { FunctionResponsePart, Part } from "@google/genai";

type Content = string | readonly (TextBlock | ImageBlock | FileBlock)[];
type Media = ImageBlock | FileBlock;

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
export const encodeContent = (content: Content): readonly Part[] =>
  blocksOf(content).flatMap((block): readonly Part[] => {
    if (block.type === "text") return block.text === "" ? [] : [{ text: block.text }];
    return [promptTypes.test(mimeType(block)) ? mediaPart(block) : { text: omitted(block) }];
  });

/**
 * The content of a tool result: its text, and the media that go beside it.
 * `acceptsMedia`: the model accepts media in results.
 */
export function encodeResult(
  content: Content,
  acceptsMedia: boolean,
): { readonly text: string; readonly media: FunctionResponsePart[] } {
  const lines: string[] = [];
  const media: FunctionResponsePart[] = [];
  for (const block of blocksOf(content)) {
    if (block.type === "text") lines.push(block.text);
    else if (acceptsMedia && resultTypes.test(mimeType(block))) media.push(mediaPart(block));
    else lines.push(omitted(block));
  }
  return { text: lines.join("\n"), media };
}

const blocksOf = (content: Content): Exclude<Content, string> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

const mimeType = ({ mediaType }: Media): string =>
  textTypes.test(mediaType) ? "text/plain" : mediaType;

const mediaPart = (block: Media): { inlineData: { mimeType: string; data: string } } => ({
  inlineData: { mimeType: mimeType(block), data: block.data },
});

function omitted(block: Media): string {
  const subject =
    block.type === "image" ? "An image" : `The file ${block.name ?? "without a name"}`;
  return `[${subject} of type ${block.mediaType} is left out here: it cannot be sent to this model.]`;
}
