import { isRecord } from "./fields.ts";
import { jsonText } from "./json.ts";
import { hasLossyNumber } from "./numbers.ts";
import { parsePlainJson } from "./parse.ts";

/**
 * One form for all spellings of a JSON text: a proxy may write other white space, and keys in
 * another order. A text with a number that a double rounds has only its own form, because two such
 * numbers can look equal.
 * @throws SyntaxError if the text is not JSON.
 */
export function canonicalJson(text: string): string {
  const value: unknown = parsePlainJson(text);
  return hasLossyNumber(text) ? text : writeCanonical(value);
}

/**
 * Whether an input that came as JSON is not the one of this text. If the text is not JSON, it is not
 * another one: the gate judges it.
 */
export function isOtherInput(input: unknown, text: string): boolean {
  try {
    return canonicalJson(jsonText(input)) !== canonicalJson(text);
  } catch {
    return false;
  }
}

/** Before its members a value has its keys. Without recursion: the stack may be too small. */
function writeCanonical(root: unknown): string {
  let text = "";
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (!isRecord(value)) {
      text += `${JSON.stringify(value)},`;
      continue;
    }
    const isList = Array.isArray(value);
    const keys = isList ? Object.keys(value) : Object.keys(value).sort();
    text += (isList ? "[" : "{") + JSON.stringify(keys);
    for (const key of keys) pending.push(value[key]);
  }
  return text;
}
