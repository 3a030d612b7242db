import type {
  FileBlock,
  ImageBlock,
  MediaData,
  MediaReference,
  TextBlock,
} from "../contract/message.ts";

/** What a user message or a tool result holds. */
export type MediaContent = string | readonly (TextBlock | ImageBlock | FileBlock)[];

/** Content as blocks: a text becomes the only block. */
export const contentBlocks = (content: MediaContent): Exclude<MediaContent, string> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Whether a reference is an image. A file block with the media type of an image is one, too. */
export const isImageReference = ({ type, mediaType }: MediaReference): boolean =>
  type === "image" || mediaType?.startsWith("image/") === true;

const textTypes = /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|sql)\b/;
/** Whether a file of this media type can be sent as text. */
export const isTextType = (mediaType: string): boolean => textTypes.test(mediaType);

/** The text of a text file; `undefined` if it is none, not base64, or not UTF-8. */
export function decodeTextFile({ mediaType, data }: MediaData): string | undefined {
  if (!isTextType(mediaType)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** An image or a file, as the subject of a sentence. */
export const describeMedia = (block: ImageBlock | FileBlock): string =>
  `${block.type === "image" ? "An image" : `The file ${block.name ?? "without a name"}`} of type ${block.mediaType ?? "unknown"}`;

/** The line that replaces content which an API does not take. */
export const omissionNote = (what: string): string =>
  `[${what} is left out here: it cannot be sent to this model.]`;

/** The text of a tool result. An error without a text gets one: some APIs refuse an empty result. */
export const resultText = (text: string, isError: boolean | undefined): string =>
  text === "" && isError ? "(The tool failed and said nothing.)" : text;
