import { stringifyJson } from "@fullstop/core/adapter";
import type { PartialArg } from "@google/genai";
import { createPathWriter, parsePath } from "./paths.ts";

export interface ArgumentWriter {
  write(piece: PartialArg): string;
  /** What closes the text. `""` if a string is still open: the text then reads as cut. */
  end(): string;
}

/**
 * https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 */
export function createWriter(): ArgumentWriter {
  const paths = createPathWriter();
  /** The path of a string that is not complete yet. */
  let openPath: string | undefined;

  const continueString = (piece: PartialArg): string => {
    const { jsonPath, stringValue, willContinue, ...other } = piece;
    if (openPath !== jsonPath || jsonValue(other) !== undefined)
      throw new Error(`The reply leaves the argument ${openPath} incomplete.`);
    const text: unknown = stringValue ?? "";
    if (typeof text !== "string")
      throw new Error(
        `The reply continues the argument ${openPath} with a value that is not a text.`,
      );
    if (!willContinue) openPath = undefined;
    return JSON.stringify(text).slice(1, -1) + (willContinue ? "" : '"');
  };
  const startValue = (piece: PartialArg): string => {
    const { jsonPath = "", willContinue } = piece;
    const { path, isEmptyList } = parsePath(jsonPath);
    const value = isEmptyList ? "[]" : jsonValue(piece);
    if (value === undefined) {
      if (willContinue) return "";
      throw new Error(`The reply sends the argument ${jsonPath} without a value.`);
    }
    const before = paths.moveTo(path);
    if (!willContinue || typeof piece.stringValue !== "string") return before + value;
    openPath = jsonPath;
    return before + value.slice(0, -1);
  };
  return {
    write: (piece) => (openPath === undefined ? startValue(piece) : continueString(piece)),
    end: () => (openPath === undefined ? paths.close() : ""),
  };
}

function jsonValue(piece: PartialArg): string | undefined {
  const value = piece.stringValue ?? piece.numberValue ?? piece.boolValue;
  if (value !== undefined && value !== null) return stringifyJson(value);
  return "nullValue" in piece ? "null" : undefined;
}
