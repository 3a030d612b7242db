import { splitText } from "../intent.ts";
import { type Fields, isObject, jsonValue } from "../json.ts";
import type { ChatStyle } from "./style.ts";

/** A call as the model means it. */
export interface IntendedCall {
  readonly position: number;
  readonly name: string;
  readonly input: string;
  readonly free: boolean;
}
/** Marks that stand in JSON for texts that are put in as they are. */
export type Placeholders = Map<string, string>;

/** The pieces of one call, each the member of a chunk's list. */
export function callPieces(
  call: IntendedCall,
  at: number,
  { style, holes }: { style: ChatStyle; holes: Placeholders },
): readonly Fields[] {
  const texts = inputTexts(call, style);
  return texts.map((text, n) => ({
    ...(style.index === "none" ? {} : { index: style.index === "own" ? at : 0 }),
    ...callId(call, n, style),
    ...(n === 0 && { type: call.free ? "custom" : "function" }),
    ...callBody(
      call,
      { name: n === 0 || style.names === "every" ? call.name : undefined, text },
      { style, holes },
    ),
  }));
}

function callId({ position: n }: IntendedCall, piece: number, { ids, host }: ChatStyle): Fields {
  if (ids === "none") return {};
  if (ids === "blank" && piece > 0) return { id: "" };
  if (ids === "every") return { id: host === "rotating" ? `call_${n}_${piece}` : `call_${n}` };
  return piece === 0 ? { id: `call_${n}` } : {};
}

function inputTexts(
  { input, free }: IntendedCall,
  { inputs, sizes }: ChatStyle,
): readonly string[] {
  const pieces = splitText(input, sizes);
  if (inputs === "whole" || pieces.length === 0) return [input];
  if (inputs === "growing" && !free) return pieces.map((_, n) => pieces.slice(0, n + 1).join(""));
  if (inputs === "twice" && !free && isObject(jsonValue(input)) && input === input.trim())
    return [...pieces, input];
  return pieces;
}

function callBody(
  { input, free, position: n }: IntendedCall,
  said: { name: string | undefined; text: string },
  { style, holes }: { style: ChatStyle; holes: Placeholders },
): Fields {
  const name = said.name === undefined ? {} : { name: said.name };
  if (free) return { custom: { ...name, input: said.text } };
  if (input === "") return { function: { ...name, ...emptyArguments[style.emptyInput] } };
  if (!style.asObject || !isObject(jsonValue(input)))
    return { function: { ...name, arguments: said.text } };
  holes.set(`@${n}@`, input);
  return { function: { ...name, arguments: `@${n}@` } };
}
const emptyArguments: Readonly<Record<ChatStyle["emptyInput"], Fields>> = {
  text: { arguments: "" },
  null: { arguments: null },
  absent: {},
  blank: { arguments: " " },
};

/** Calls that stand next to each other, as lists of pieces: one after the other, or in turns. */
export function interleave(
  calls: readonly (readonly Fields[])[],
  mixed: boolean,
): readonly (readonly Fields[])[] {
  if (!mixed) return calls.flatMap((pieces) => pieces.map((piece) => [piece]));
  const longest = Math.max(0, ...calls.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) =>
    calls.flatMap((pieces) => pieces.slice(n, n + 1)),
  );
}
