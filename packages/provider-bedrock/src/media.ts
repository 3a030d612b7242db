import type {
  AudioFormat,
  ContentBlock,
  DocumentFormat,
  ImageFormat,
  ImageSource,
  VideoFormat,
} from "@aws-sdk/client-bedrock-runtime";
import type { FileBlock, ImageBlock } from "@fullstop/core";
import {
  describeMedia,
  isTextType,
  type MediaReference,
  omissionNote,
} from "@fullstop/core/adapter";
import { toBytes } from "./base64.ts";

type Media = ImageBlock | FileBlock;

/** The API refuses a text without a visible character. */
export const isBlank = (text: string): boolean => text.trim() === "";
export const textBlock = (text: string): ContentBlock.TextMember => ({ text });

interface Format {
  readonly kind: "image" | "document" | "video" | "audio";
  readonly format: string;
}

const images: Readonly<Record<ImageFormat, string>> = {
  png: "image/png",
  jpeg: "image/jpeg image/jpg",
  gif: "image/gif",
  webp: "image/webp",
};
const documents: Readonly<Record<DocumentFormat, string>> = {
  pdf: "application/pdf",
  csv: "text/csv",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  html: "text/html",
  md: "text/markdown",
  txt: "text/plain",
};
const videos: Readonly<Record<VideoFormat, string>> = {
  mkv: "video/x-matroska",
  mov: "video/quicktime",
  mp4: "video/mp4",
  webm: "video/webm",
  flv: "video/x-flv",
  mpeg: "video/mpeg",
  mpg: "video/mpg",
  wmv: "video/x-ms-wmv",
  three_gp: "video/3gpp",
};
const audios: Readonly<Record<AudioFormat, string>> = {
  mp3: "audio/mp3",
  opus: "audio/opus",
  wav: "audio/wav audio/x-wav audio/wave",
  aac: "audio/aac",
  flac: "audio/flac",
  mp4: "audio/mp4",
  ogg: "audio/ogg",
  mkv: "audio/x-matroska",
  mka: "audio/mka",
  "x-aac": "audio/x-aac",
  m4a: "audio/x-m4a audio/m4a",
  mpeg: "audio/mpeg",
  mpga: "audio/mpga",
  pcm: "audio/pcm audio/l16",
  webm: "audio/webm",
};

const entriesOf = (kind: Format["kind"], table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([format, types]) =>
    types.split(" ").map((type): [string, Format] => [type, { kind, format }]),
  );
const formats: ReadonlyMap<string, Format> = new Map([
  ...entriesOf("image", images),
  ...entriesOf("document", documents),
  ...entriesOf("video", videos),
  ...entriesOf("audio", audios),
]);
/** A text whose type has no format of its own is a document. */
export function formatOf(mediaType: string): Format | undefined {
  const [type = ""] = mediaType.toLowerCase().split(";", 1);
  const known = formats.get(type.trim());
  if (known !== undefined || !isTextType(type)) return known;
  return { kind: "document", format: "txt" };
}

/** Numbers the documents of a request: the API refuses two of one name. */
export type NameDocument = (name: string | undefined) => string;

/**
 * The API accepts letters, digits, single blanks, hyphens, parentheses and square brackets.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
 */
export function createDocumentNames(): NameDocument {
  const taken = new Set<string>();
  return (given = "") => {
    const clean = given
      .replace(/\.[a-z\d]{1,5}$/i, "")
      .replaceAll(/[^a-zA-Z0-9()[\]-]+/g, " ")
      .trim()
      .slice(0, 180)
      .trim();
    const base = clean === "" ? "document" : clean;
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base} ${count}`;
    taken.add(name);
    return name;
  };
}

export function encodeMedia(block: Media, nameDocument: NameDocument): ContentBlock | undefined {
  const found = formatOf(block.mediaType ?? "");
  const source = sourceOf(block);
  if (found === undefined || source === undefined) return undefined;
  const { kind, format } = found;
  const name = block.type === "file" ? block.name : undefined;
  const named = kind === "document" && { name: nameDocument(name) };
  return { [kind]: { format, ...named, source } } as unknown as ContentBlock;
}

type Source = ImageSource.BytesMember | ImageSource.S3LocationMember;
function sourceOf({ data, url, fileId }: Media): Source | undefined {
  if (data === undefined) return { s3Location: { uri: url ?? fileId } };
  const bytes = toBytes(data);
  return bytes && { bytes };
}

/** A line of text in place of what cannot be sent. */
export const omitted = (block: Media): ContentBlock.TextMember =>
  textBlock(omissionNote(describeMedia(block)));

/**
 * Why the API cannot load a reference: it loads only from S3, and needs the format.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_S3Location.html
 */
export function refuseReference({ url, fileId, mediaType }: MediaReference): string | undefined {
  if (!(url ?? fileId).startsWith("s3://"))
    return "Amazon Bedrock loads only files in S3, whose address begins with s3://";
  if (mediaType === undefined) return "Amazon Bedrock needs the `mediaType` of a file in S3";
  return formatOf(mediaType) === undefined
    ? `Amazon Bedrock does not take files of type ${mediaType}`
    : undefined;
}
