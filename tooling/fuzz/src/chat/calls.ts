import { cutUp } from "../intent.ts";
import { type Fields, isObject, jsonValue } from "../json.ts";
import type { Manner } from "./manner.ts";

/** A call as the model means it. */
export interface Meant {
  readonly n: number;
  readonly name: string;
  readonly input: string;
  readonly free: boolean;
}
/** Marks that stand in JSON for texts that are put in as they are. */
export type Holes = Map<string, string>;

/** The pieces of one call, each the member of a chunk's list. */
export function piecesOf(
  call: Meant,
  at: number,
  { manner, holes }: { manner: Manner; holes: Holes },
): readonly Fields[] {
  const texts = textsOf(call, manner);
  return texts.map((text, n) => ({
    ...(manner.index === "none" ? {} : { index: manner.index === "own" ? at : 0 }),
    ...idOf(call, n, manner),
    ...(n === 0 && { type: call.free ? "custom" : "function" }),
    ...bodyOf(
      call,
      { name: n === 0 || manner.names === "every" ? call.name : undefined, text },
      { manner, holes },
    ),
  }));
}

function idOf({ n }: Meant, piece: number, { ids, host }: Manner): Fields {
  if (ids === "none") return {};
  if (ids === "blank" && piece > 0) return { id: "" };
  if (ids === "every") return { id: host === "rotating" ? `call_${n}_${piece}` : `call_${n}` };
  return piece === 0 ? { id: `call_${n}` } : {};
}

function textsOf({ input, free }: Meant, { inputs, sizes }: Manner): readonly string[] {
  const pieces = cutUp(input, sizes);
  if (inputs === "whole" || pieces.length === 0) return [input];
  if (inputs === "growing" && !free) return pieces.map((_, n) => pieces.slice(0, n + 1).join(""));
  if (inputs === "twice" && !free && isObject(jsonValue(input)) && input === input.trim())
    return [...pieces, input];
  return pieces;
}

function bodyOf(
  { input, free, n }: Meant,
  said: { name: string | undefined; text: string },
  { manner, holes }: { manner: Manner; holes: Holes },
): Fields {
  const name = said.name === undefined ? {} : { name: said.name };
  if (free) return { custom: { ...name, input: said.text } };
  if (input === "") return { function: { ...name, ...nothings[manner.nothing] } };
  if (!manner.asObject || !isObject(jsonValue(input)))
    return { function: { ...name, arguments: said.text } };
  holes.set(`@${n}@`, input);
  return { function: { ...name, arguments: `@${n}@` } };
}
const nothings: Readonly<Record<Manner["nothing"], Fields>> = {
  text: { arguments: "" },
  null: { arguments: null },
  absent: {},
  blank: { arguments: " " },
};

/** Calls that stand next to each other, as lists of pieces: one after the other, or in turns. */
export function inTurns(
  calls: readonly (readonly Fields[])[],
  mixed: boolean,
): readonly (readonly Fields[])[] {
  if (!mixed) return calls.flatMap((pieces) => pieces.map((piece) => [piece]));
  const longest = Math.max(0, ...calls.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) =>
    calls.flatMap((pieces) => pieces.slice(n, n + 1)),
  );
}
