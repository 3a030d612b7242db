import type { MediaReference } from "@fullstop/core";
import { isImageReference } from "@fullstop/core/adapter";
import type OpenAI from "openai";

/**
 * Encodes an image or a file that the host loads by its URL or file id. A text says why the host
 * cannot load it; it ends without a full stop.
 */
export type EncodeReference = (block: MediaReference) => OpenAI.ChatCompletionContentPart | string;

const imageUrlPart = (url: string): OpenAI.ChatCompletionContentPartImage => ({
  type: "image_url",
  image_url: { url },
});

/** The default: the host loads images by their URL. */
export const imageUrls: EncodeReference = (block) => {
  if (block.fileId !== undefined)
    return `the host takes no ${isImageReference(block) ? "image" : "file"} by a file id in Chat Completions`;
  return isImageReference(block)
    ? imageUrlPart(block.url)
    : "the host loads only images by their URL in Chat Completions";
};

/**
 * OpenAI also takes files by their id, but images only by URL.
 * https://developers.openai.com/api/docs/guides/images-vision, file-inputs
 */
export const imageUrlsAndFileIds: EncodeReference = (block) =>
  block.fileId !== undefined && !isImageReference(block)
    ? { type: "file", file: { file_id: block.fileId } }
    : imageUrls(block);
