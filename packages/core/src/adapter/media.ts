import type { MediaReference } from "../contract/message.ts";

/** Whether a reference is an image. A file block with the media type of an image is one, too. */
export const isImageReference = ({ type, mediaType }: MediaReference): boolean =>
  type === "image" || mediaType?.startsWith("image/") === true;
