import { isFields, tryParseJson } from "@fullstop/core/adapter";
import { type Item, type ItemReader, inputMemberOf } from "./item.ts";

const otherTypes: ReadonlyMap<Item["type"], Item["type"]> = new Map([
  ["function_call", "custom_tool_call"],
  ["custom_tool_call", "function_call"],
]);

/**
 * The other type of a call whose input is a text. Gateways translate one into the other, and may do
 * so in some events only (duolahypercho/codex-router#554).
 */
export const otherTypeOf = (type: Item["type"]): Item["type"] | undefined => otherTypes.get(type);

/** The same input as the other type says it: a function has the text of a custom tool in `input`. */
export function inputOfOther(type: Item["type"], text: string, reader: ItemReader): string {
  if (type === "custom_tool_call") {
    const value = tryParseJson(text);
    const { input, ...rest } = isFields(value) ? value : {};
    return typeof input === "string" && Object.keys(rest).length === 0 ? input : text;
  }
  const wrapped = JSON.stringify({ input: text });
  return reader.hasInput?.(text) && !reader.hasInput(wrapped) ? text : wrapped;
}

/** An item as one of another type. `undefined` if the types cannot be compared. */
export function asItemOf(type: Item["type"], item: Item, reader: ItemReader): Item | undefined {
  if (item.type === type) return item;
  if (otherTypeOf(item.type) !== type) return undefined;
  const text = inputMemberOf(item);
  const input = typeof text === "string" ? inputOfOther(type, text, reader) : text;
  return { ...item, type, [type === "function_call" ? "arguments" : "input"]: input } as Item;
}
