import { type Fields, isObject, members, nonBlank, numberOrNone } from "../json.ts";
import type { Notes } from "../notes.ts";

export interface Piece {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  readonly free: boolean;
}

export const isBlank = ({ id, name, text }: Piece): boolean =>
  id === undefined && name === undefined && text === "";

export function readPiece(notes: Notes, delta: Fields): Piece {
  const isCustom = delta["custom"] !== undefined && delta["custom"] !== null;
  const body = isCustom ? delta["custom"] : delta["function"];
  notes.ambiguity("an invalid delta", body !== undefined && body !== null && !isObject(body));
  const { name, arguments: input } = isCustom
    ? { ...members(body), arguments: members(body)["input"] }
    : members(body);
  for (const value of [name, delta["id"]])
    notes.ambiguity(
      "a name or an id that is not a string",
      value !== undefined && value !== null && typeof value !== "string",
    );
  const index = delta["index"] ?? undefined;
  notes.ambiguity(
    "an index that is not a number",
    index !== undefined && (!Number.isSafeInteger(index) || Number(index) < 0),
  );
  return {
    index: numberOrNone(index),
    id: nonBlank(delta["id"]),
    name: nonBlank(name),
    text: inputText(notes, input),
    free: isCustom,
  };
}

export function inputText(notes: Notes, input: unknown): string {
  if (typeof input === "string") return input;
  if (input === undefined || input === null) return "";
  notes.ambiguity("arguments that are neither a string nor an object", !isObject(input));
  return JSON.stringify(input);
}
