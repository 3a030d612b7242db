import { splitText } from "../intent.ts";
import { type Fields, isObject, jsonValue, withoutSpaces } from "../json.ts";
import type { ChatStyle } from "./style.ts";

/** A call that the generator intends. */
export interface IntendedCall {
  readonly position: number;
  readonly name: string;
  readonly input: string;
  readonly free: boolean;
}
/** Strings in the JSON that are replaced by raw texts. */
export type Placeholders = Map<string, string>;

/** The deltas of one call, each an element of the `tool_calls` of a chunk. */
export function callPieces(
  call: IntendedCall,
  at: number,
  { style, holes }: { style: ChatStyle; holes: Placeholders },
): readonly Fields[] {
  const texts = inputTexts(call, style);
  return texts.map((text, position) => ({
    ...(style.index === "none" ? {} : { index: style.index === "own" ? at : 0 }),
    ...callId(call, position, style),
    ...(position === 0 && { type: call.free ? "custom" : "function" }),
    ...callBody(
      call,
      { name: position === 0 || style.names === "every" ? call.name : undefined, text },
      { style, holes },
    ),
  }));
}

function callId({ position }: IntendedCall, piece: number, { ids, host }: ChatStyle): Fields {
  if (ids === "none") return {};
  if (ids === "blank" && piece > 0) return { id: "" };
  if (ids === "every")
    return { id: host === "rotating" ? `call_${position}_${piece}` : `call_${position}` };
  return piece === 0 ? { id: `call_${position}` } : {};
}

function inputTexts(
  { input, free }: IntendedCall,
  { inputs, sizes }: ChatStyle,
): readonly string[] {
  const pieces = splitText(input, sizes);
  if (inputs === "whole" || pieces.length === 0) return [input];
  if (inputs === "growing" && !free)
    return pieces.map((_, position) => pieces.slice(0, position + 1).join(""));
  if (free || !isObject(jsonValue(input))) return pieces;
  if (inputs === "twice" && input === input.trim()) return [...pieces, input];
  if (inputs === "flushed")
    return [...splitText(input.replace(/\}\s*$/, ""), sizes), withoutSpaces(input)];
  return pieces;
}

function callBody(
  { input, free, position }: IntendedCall,
  content: { name: string | undefined; text: string },
  { style, holes }: { style: ChatStyle; holes: Placeholders },
): Fields {
  const name = content.name === undefined ? {} : { name: content.name };
  if (free) return { custom: { ...name, input: content.text } };
  if (input === "") return { function: { ...name, ...emptyArguments[style.emptyInput] } };
  if (!style.asObject || !isObject(jsonValue(input)))
    return { function: { ...name, arguments: content.text } };
  holes.set(`@${position}@`, input);
  return { function: { ...name, arguments: `@${position}@` } };
}
const emptyArguments: Readonly<Record<ChatStyle["emptyInput"], Fields>> = {
  text: { arguments: "" },
  null: { arguments: null },
  absent: {},
  blank: { arguments: " " },
};

/** The deltas of parallel calls, one call after the other or interleaved. */
export function interleave(
  calls: readonly (readonly Fields[])[],
  mixed: boolean,
): readonly (readonly Fields[])[] {
  if (!mixed) return calls.flatMap((pieces) => pieces.map((piece) => [piece]));
  const longest = Math.max(0, ...calls.map(({ length }) => length));
  return Array.from({ length: longest }, (_, position) =>
    calls.flatMap((pieces) => pieces.slice(position, position + 1)),
  );
}
