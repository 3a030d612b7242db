import type { ContentBlock } from "@aws-sdk/client-bedrock-runtime";
import { toBytes } from "./base64.ts";

type BlockType = Extract<keyof ContentBlock, string>;

/**
 * The blocks of a reply that the API takes back. Images, documents, audio and video may only be in a
 * user's message.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
 */
const sendable: Readonly<Record<Exclude<BlockType, "$unknown">, boolean>> = {
  text: true,
  toolUse: true,
  toolResult: true,
  reasoningContent: true,
  citationsContent: true,
  guardContent: false,
  searchResult: false,
  cachePoint: false,
  image: false,
  document: false,
  audio: false,
  video: false,
  toolAddition: false,
  toolRemoval: false,
};

/** The SDK takes blobs as bytes, and drops unknown types. */
export function encodeNative(data: unknown): readonly ContentBlock[] {
  if (typeof data !== "object" || data === null) return [];
  const [type] = Object.keys(data);
  if (type === undefined || !Object.hasOwn(sendable, type)) return [];
  if (!sendable[type as keyof typeof sendable]) return [];
  return [withBytes(data) as ContentBlock];
}

/** Members that are blobs. */
const blobs: ReadonlySet<string> = new Set(["redactedContent", "bytes"]);

function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      blobs.has(name) && typeof inner === "string" ? toBytes(inner) : withBytes(inner),
    ]),
  );
}
