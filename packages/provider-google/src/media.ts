import type { FileBlock, ImageBlock, TextBlock } from "@fullstop/core";
import type { FunctionResponsePart, Part } from "@google/genai";

type Content = string | readonly (TextBlock | ImageBlock | FileBlock)[];
type Media = ImageBlock | FileBlock;

/** https://ai.google.dev/gemini-api/docs/image-understanding, document-processing, audio, video-understanding */
const inPrompts = /^(image\/(png|jpeg|webp|heic|heif)|application\/pdf|audio\/|video\/|text\/)/;
/** Text under another name. */
const isText = /^application\/(.*\+)?(json|xml|yaml|toml|javascript|typescript|sql)$/;
/** https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
const inResults = /^(image\/(png|jpeg|webp)|application\/pdf|text\/plain)$/;

/** What a user says. What the API does not take becomes a line that says what is missing. */
export const encodeContent = (content: Content): readonly Part[] =>
  blocksOf(content).flatMap((block): readonly Part[] => {
    if (block.type === "text") return block.text === "" ? [] : [{ text: block.text }];
    return [
      inPrompts.test(typeOf(block)) ? { inlineData: inline(block) } : { text: leftOut(block) },
    ];
  });

/** What a tool says: its text, and the media that go beside it. */
export function encodeResult(
  content: Content,
  takesMedia: boolean,
): { readonly text: string; readonly media: FunctionResponsePart[] } {
  const blocks = blocksOf(content);
  const goes = (block: Media): boolean => takesMedia && inResults.test(typeOf(block));
  const lines = blocks.flatMap((block) =>
    block.type === "text" ? [block.text] : goes(block) ? [] : [leftOut(block)],
  );
  const media = blocks.flatMap((block) =>
    block.type !== "text" && goes(block) ? [{ inlineData: inline(block) }] : [],
  );
  return { text: lines.join("\n"), media };
}

const blocksOf = (content: Content): Exclude<Content, string> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
const typeOf = ({ mediaType }: Media): string =>
  isText.test(mediaType) ? "text/plain" : mediaType;
const inline = (block: Media): { mimeType: string; data: string } => ({
  mimeType: typeOf(block),
  data: block.data,
});
const leftOut = (block: Media): string =>
  `[${block.type === "image" ? "An image" : `The file ${block.name ?? "without a name"}`} of type ${block.mediaType} is left out here: it cannot be sent to this model.]`;
