import type { FileBlock, ImageBlock } from "../contract/message.ts";
import type { Fields } from "../json/fields.ts";

type MediaType = (ImageBlock | FileBlock)["type"];
type Source = "data" | "url" | "fileId";

const names: Readonly<Record<MediaType, string>> = {
  image: "an image block",
  file: "a file block",
};
/** What a block has besides its source, as it is written in an example. */
const extras: Readonly<Record<MediaType, string>> = { image: "", file: ", name" };

export const isMediaType = (type: unknown): type is MediaType =>
  typeof type === "string" && Object.hasOwn(names, type);

/** What is wrong with an image or a file block; the text follows "contains". */
export function describeInvalidMedia(type: MediaType, block: Fields): string | undefined {
  const given = sources.filter((source) => block[source] !== undefined);
  const [source, other] = given;
  if (source === undefined)
    return `${names[type]} without \`data\`, \`url\` or \`fileId\`: ${shapesOf(type)}`;
  if (other !== undefined)
    return `${names[type]} with \`${source}\` and \`${other}\`: give exactly one of them`;
  const misspelt = Object.keys(block).find((key) => /^(mime_?type|media_type)$/i.test(key));
  if (block["mediaType"] === undefined && misspelt !== undefined)
    return `${names[type]} without \`mediaType\`, but with \`${misspelt}\`: ${shapesOf(type)}`;
  if (block["mediaType"] !== undefined && typeof block["mediaType"] !== "string")
    return `${names[type]} whose \`mediaType\` is not a string: ${shapesOf(type)}`;
  return describeSource[source](type, block);
}

const sources: readonly Source[] = ["data", "url", "fileId"];

const describeSource: Readonly<
  Record<Source, (type: MediaType, block: Fields) => string | undefined>
> = {
  data(type, block) {
    const missing = missingText(block, ["data", "mediaType"]);
    if (missing !== undefined) return `${names[type]} without \`${missing}\`: ${shapesOf(type)}`;
    if (block["data"] === "") return `${names[type]} whose \`data\` is empty`;
    return isDataUrl(block["data"])
      ? `${names[type]} whose \`data\` is a data URL: give only the base64 after the comma, and the type as \`mediaType\``
      : undefined;
  },
  url(type, { url }) {
    const name = `${names[type]} whose \`url\``;
    if (typeof url !== "string") return `${name} is not a string: ${shapesOf(type)}`;
    if (isDataUrl(url))
      return `${name} is a data URL: give the base64 after the comma as \`data\`, and the type as \`mediaType\``;
    if (url.startsWith("gs:"))
      return `${name} is an address of Google Cloud Storage: give it as \`fileId\`, with \`provider: "google"\``;
    return /^(?:https?|s3):\/\//i.test(url) && URL.canParse(url)
      ? undefined
      : `${name} is not an address that begins with https://, http:// or s3://. Load the file, and give its bytes in base64 as \`data\``;
  },
  fileId(type, block) {
    const missing = missingText(block, ["fileId", "provider"]);
    return missing && `${names[type]} without \`${missing}\`: ${shapesOf(type)}`;
  },
};

const missingText = (block: Fields, fields: readonly string[]): string | undefined =>
  fields.find((field) => typeof block[field] !== "string");
const isDataUrl = (value: unknown): boolean => typeof value === "string" && /^data:/i.test(value);

const shapesOf = (type: MediaType): string => {
  const shape = (fields: string): string => `{ type: "${type}", ${fields}${extras[type]} }`;
  return `the shape is ${shape("mediaType, data")} with \`data\` in base64, ${shape("url")}, or ${shape("fileId, provider")}`;
};
