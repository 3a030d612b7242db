import type { FileBlock, ImageBlock, MediaData, TextBlock, ToolResultBlock } from "@fullstop/core";

/** What a user message or a tool result holds. */
export type MediaContent = string | readonly (TextBlock | ImageBlock | FileBlock)[];

/**
 * Whether the APIs accept images of this type.
 * https://platform.openai.com/docs/guides/images-vision
 */
export const isImageType = (mediaType: string): boolean =>
  /^image\/(jpeg|png|gif|webp)$/.test(mediaType);

export const dataUrl = ({ mediaType, data }: MediaData): string =>
  `data:${mediaType};base64,${data}`;

/** The line that replaces content which the API does not accept. */
export const omissionNote = (what: string): string =>
  `[${what} is left out here: it cannot be sent to this model.]`;

/**
 * The text of a tool result. An error without a text gets one: some hosts refuse an empty result.
 */
export const resultText = (text: string, isError: ToolResultBlock["isError"]): string =>
  text === "" && isError ? "(The tool failed and said nothing.)" : text;
