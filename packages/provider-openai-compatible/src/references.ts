import { isImageReference } from "@fullstop/core/adapter";
import type { EncodeReference } from "@fullstop/provider-openai/protocol";

export const noReferences: EncodeReference = () => "the host takes images and files only as bytes";

/**
 * Kimi loads no URLs, but images that were uploaded to it.
 * https://platform.kimi.ai/docs/guide/use-kimi-vision-model
 */
export const kimiReferences: EncodeReference = (block) =>
  block.fileId !== undefined && isImageReference(block)
    ? { type: "image_url", image_url: { url: `ms://${block.fileId}` } }
    : "Kimi takes images as bytes or by their file id";
