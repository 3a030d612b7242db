import { stringifyJson } from "@fullstop/core/adapter";
import type { PartialArg } from "@google/genai";
import { createPlaces, readPath } from "./places.ts";

/** Writes streamed arguments as the JSON text that they stand for, piece by piece. */
export interface ArgumentWriter {
  add(piece: PartialArg): string;
  /** What closes the text; nothing where a string was left open, so that it reads as cut. */
  end(): string;
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc */
export function createWriter(): ArgumentWriter {
  const places = createPlaces();
  /** The place of a string of which more is to come. */
  let open: string | undefined;

  const goOn = ({ jsonPath, stringValue, willContinue, ...other }: PartialArg): string => {
    if (open !== jsonPath || jsonValue(other) !== undefined)
      throw new Error(`The reply leaves the argument ${open} in the middle.`);
    if (!willContinue) open = undefined;
    return JSON.stringify(stringValue ?? "").slice(1, -1) + (willContinue ? "" : '"');
  };
  const begin = (piece: PartialArg): string => {
    const { jsonPath = "", willContinue } = piece;
    const { path, isEmptyList } = readPath(jsonPath);
    const value = isEmptyList ? "[]" : jsonValue(piece);
    if (value === undefined) {
      if (willContinue) return "";
      throw new Error(`The reply holds the argument ${jsonPath} without a value.`);
    }
    const way = places.goTo(path);
    if (!willContinue || typeof piece.stringValue !== "string") return way + value;
    open = jsonPath;
    return way + value.slice(0, -1);
  };
  return {
    add: (piece) => (open === undefined ? begin(piece) : goOn(piece)),
    end: () => (open === undefined ? places.close() : ""),
  };
}

function jsonValue(piece: PartialArg): string | undefined {
  const value = piece.stringValue ?? piece.numberValue ?? piece.boolValue;
  if (value !== undefined && value !== null) return stringifyJson(value);
  return "nullValue" in piece ? "null" : undefined;
}
