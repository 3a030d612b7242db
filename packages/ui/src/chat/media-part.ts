import type { FileBlock, ImageBlock, MediaSource } from "@fullstop/core";
import { textField, UiMessageError, type UiPart } from "./ui-message.ts";

const dataUrl = /^data:[^,]*;base64,(?<data>.*)$/s;

/** A `data:` URL becomes bytes. @throws UiMessageError for one that no provider can load. */
export function readMediaPart(part: UiPart): ImageBlock | FileBlock {
  const mediaType = textField(part, "mediaType");
  const source = readSource(part, mediaType);
  if (mediaType.startsWith("image/")) return { type: "image", ...source };
  const { filename } = part.fields;
  return { type: "file", ...source, ...(typeof filename === "string" && { name: filename }) };
}

function readSource(part: UiPart, mediaType: string): MediaSource {
  const url = textField(part, "url");
  const data = dataUrl.exec(url)?.groups?.["data"];
  if (data !== undefined) return { mediaType, data };
  if (/^https?:\/\//.test(url)) return { url, mediaType };
  throw new UiMessageError(
    `${part.at}.url must begin with https://, http:// or data: (in base64).`,
  );
}
