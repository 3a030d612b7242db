import type { Turn } from "@fullstop/core";
import { isFields } from "@fullstop/core/adapter";

/**
 * Whether a reply holds an image, audio, a video or a file, for instance as `inlineData` of Gemini
 * or an `image_generation_call` of Responses. A server call and its result do not count: the model
 * reads them, and the answer to the person comes behind them. Reasoning and signatures do not count.
 */
export const holdsMedia = ({ message }: Turn): boolean =>
  (message?.content ?? []).some(
    (block) =>
      block.type === "native" &&
      block.opens === undefined &&
      block.closes === undefined &&
      isMedia(block.data, mediaDepth),
  );

const mediaDepth = 6;

const mediaTypes =
  /^(?:(?:in|out)put_)?(?:image|audio|video|document|file)$|^image_generation_call$/;
const typeMembers = ["mimeType", "mime_type", "mediaType", "media_type"];
/** Where vendors write the bytes of a medium, its address or its id. */
const contentMembers = [
  "data",
  "result",
  "uri",
  "url",
  "fileUri",
  "file_uri",
  "fileId",
  "file_id",
  "image_url",
];

/** Whether a value is a medium that is not empty, or holds one. */
function isMedia(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.some((one) => isMedia(one, depth - 1));
  if (!isFields(value)) return false;
  const isNamed =
    mediaTypes.test(String(value["type"])) ||
    typeMembers.some((name) => typeof value[name] === "string");
  const isFull = contentMembers.some((name) => {
    const content = value[name];
    return typeof content === "string" && content !== "";
  });
  return (isNamed && isFull) || Object.values(value).some((one) => isMedia(one, depth - 1));
}
