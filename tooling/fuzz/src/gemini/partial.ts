import { splitText } from "../intent.ts";
import { type Fields, isObject, jsonValue, listOrEmpty, members, textOrNone } from "../json.ts";

/**
 * A call with streamed arguments: a first part that continues, the arguments by their JSON paths,
 * and an empty end. Returns `undefined` if this kind of streaming cannot express the arguments.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 */
export function streamArguments(
  json: string,
  sizes: readonly number[],
): readonly Fields[] | undefined {
  const value = jsonValue(json);
  if (!isObject(value)) return undefined;
  const leaves = argumentLeaves(value, "$");
  if (leaves === undefined || leaves.length === 0) return undefined;
  const pieces = leaves.flatMap((leaf) => leafPieces(leaf, sizes));
  return [
    { willContinue: true },
    ...pieces.map((piece) => ({ partialArgs: [piece], willContinue: true })),
    {},
  ];
}

interface ArgumentLeaf {
  readonly path: string;
  readonly value: string | number | boolean | null;
}
function argumentLeaves(value: unknown, path: string): readonly ArgumentLeaf[] | undefined {
  if (typeof value !== "object" || value === null)
    return isPlain(value) ? [{ path, value: value as ArgumentLeaf["value"] }] : undefined;
  const inside = Array.isArray(value)
    ? value.map((member, position) => argumentLeaves(member, `${path}[${position}]`))
    : Object.entries(value).map(([key, member]) =>
        /^[a-z]+$/.test(key) ? argumentLeaves(member, `${path}.${key}`) : undefined,
      );
  return inside.length === 0 || inside.includes(undefined)
    ? undefined
    : inside.flatMap((leaves) => leaves ?? []);
}
const isPlain = (value: unknown): boolean =>
  typeof value !== "number" || (Number.isSafeInteger(value) && Math.abs(value) < 1e6);

function leafPieces({ path, value }: ArgumentLeaf, sizes: readonly number[]): readonly Fields[] {
  if (value === null) return [{ jsonPath: path, nullValue: null }];
  if (typeof value === "number") return [{ jsonPath: path, numberValue: value }];
  if (typeof value === "boolean") return [{ jsonPath: path, boolValue: value }];
  const parts = value === "" ? [""] : splitText(value, sizes);
  return parts.map((stringValue, position) => ({
    jsonPath: path,
    stringValue,
    ...(position < parts.length - 1 && { willContinue: true }),
  }));
}

/** Assembles streamed arguments. Returns `undefined` if a piece does not fit. */
export function assembleArguments(pieces: readonly Fields[]): unknown {
  const root: Record<string, unknown> = {};
  let open: string | undefined;
  for (const piece of pieces) {
    const path = textOrNone(piece["jsonPath"]) ?? "";
    const value = pieceValue(piece);
    const fits =
      /^\$(\.[a-z]+|\[\d+\])+$/.test(path) &&
      value !== undefined &&
      (open === undefined || open === path);
    if (
      !fits ||
      !setMember(root, { keys: path.match(/[a-z]+|\d+/g) ?? [], value, more: open === path })
    )
      return undefined;
    open = piece["willContinue"] === true ? path : undefined;
  }
  return open === undefined ? root : undefined;
}

const pieceValue = (piece: Fields): unknown =>
  piece["stringValue"] ??
  piece["numberValue"] ??
  piece["boolValue"] ??
  ("nullValue" in piece ? null : undefined);

interface Placement {
  readonly keys: readonly string[];
  readonly value: unknown;
  /** The value continues the existing text. */
  readonly more: boolean;
}
type JsonContainer = Record<string, unknown>;
function setMember(root: JsonContainer, { keys, value, more }: Placement): boolean {
  const key = keys.at(-1) ?? "";
  const holder = containerOf(root, keys);
  if (holder === undefined || Object.hasOwn(holder, key) !== more) return false;
  if (more && ![holder[key], value].every((one) => typeof one === "string")) return false;
  holder[key] = more ? `${String(holder[key])}${String(value)}` : value;
  return true;
}

/**
 * Returns the container of the last key and creates missing ones. Returns `undefined` if another
 * value is in the path.
 */
function containerOf(root: JsonContainer, keys: readonly string[]): JsonContainer | undefined {
  let holder = root;
  for (const [position, key] of keys.slice(0, -1).entries()) {
    const inside = holder[key] ?? (/^\d/.test(keys[position + 1] ?? "") ? [] : {});
    if (typeof inside !== "object") return undefined;
    holder[key] = inside;
    holder = inside as JsonContainer;
  }
  return holder;
}

export const partialArgsOf = (call: unknown): readonly Fields[] =>
  listOrEmpty(members(call)["partialArgs"]).map(members);
