import {
  type ErrorTable,
  isObjectText,
  type MediaData,
  safeToolName,
  type ToolNameRule,
} from "@fullstop/core/adapter";

export const nonBlank = (text: unknown): string | undefined =>
  typeof text === "string" && text.trim() !== "" ? text : undefined;

/** The first of these codes that the table lists; if none is listed, the first one. */
export function nativeCode(values: readonly unknown[], errors: ErrorTable): string {
  const codes = values
    .map((value) => (typeof value === "number" ? String(value) : value))
    .filter((code) => typeof code === "string" && code !== "" && code !== "error") as string[];
  return codes.find((code) => Object.hasOwn(errors, code)) ?? codes[0] ?? "error";
}

/** Wraps a text that is not a JSON object: `{ text }`. */
export const wrapText = (text: string): string => JSON.stringify({ text });

/** The arguments of a call as a JSON object: hosts parse them, and many accept only an object. */
export function encodeArguments(inputText: string): string {
  if (inputText.trim() === "") return "{}";
  return isObjectText(inputText) ? inputText : wrapText(inputText);
}

const toolNameRule: ToolNameRule = { refused: /[^a-zA-Z0-9_-]/g, maxLength: 64 };

export const encodeToolName = (name: string): string => safeToolName(name, toolNameRule);

/** https://platform.openai.com/docs/guides/images-vision */
export const isImageType = (mediaType: string): boolean =>
  /^image\/(jpeg|png|gif|webp)$/.test(mediaType);

export const dataUrl = ({ mediaType, data }: MediaData): string =>
  `data:${mediaType};base64,${data}`;
