import { type Fields, isFields, isRecord } from "./fields.ts";
import { endOfString } from "./numbers.ts";

/**
 * `JSON.parse` with the keys that the text has. V8 13 to 15 (Node 24 to 26, Deno, Chrome) give a key
 * with an escape the name of a key that an earlier text had there, if the earlier one contains a
 * backslash: after `{"\\":1}` the text `{"\n":2}` becomes `{"\\":2}`.
 * https://github.com/nodejs/node/issues/63785
 * @throws SyntaxError if the text is not JSON.
 */
export function parsePlainJson<Value>(text: string): Value {
  const value: Value = JSON.parse(text);
  return mayMisname(text) && hasBackslashInKey(value) ? parseNumberedKeys(text) : value;
}

/** Up to this length it costs less to look at the text than at the value. */
const shortText = 4096;
const keyEnd = /\s*:/y;

/** Whether a key of the JSON text has an escape. A long text with a backslash may have one. */
function mayMisname(text: string): boolean {
  let at = text.indexOf("\\");
  if (at >= 0 && text.length > shortText) return true;
  while (at >= 0) {
    const end = endOfString(text, at - 1);
    if (isKeyBefore(text, end)) return true;
    at = text.indexOf("\\", end);
  }
  return false;
}

function isKeyBefore(text: string, end: number): boolean {
  keyEnd.lastIndex = end;
  return keyEnd.test(text);
}

/** The value of a JSON text; `undefined` if the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return parsePlainJson(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is a JSON object. */
export const isObjectText = (text: string): boolean => isFields(tryParseJson(text));

/** A wrong key is the beginning of how the right one is written, so it contains the backslash. */
function hasBackslashInKey(root: unknown): boolean {
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (!isRecord(value)) continue;
    if (isFields(value) && namesBackslash(value)) return true;
    for (const member of Object.values(value)) if (isRecord(member)) pending.push(member);
  }
  return false;
}

function namesBackslash(value: Fields): boolean {
  for (const key in value) if (key.includes("\\")) return true;
  return false;
}

/** Reads the text with a number in place of each key, and puts the keys in their places. */
function parseNumberedKeys<Value>(text: string): Value {
  const keys: string[] = [];
  let numbered = "";
  let from = 0;
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', from)) {
    const end = endOfString(text, quote);
    const isKey = isKeyBefore(text, end);
    numbered += text.slice(from, isKey ? quote : end);
    if (isKey) numbered += `"k${keys.push(JSON.parse(text.slice(quote, end))) - 1}"`;
    from = end;
  }
  const root: Value = JSON.parse(numbered + text.slice(from));
  nameKeys(root, keys);
  return root;
}

function nameKeys(root: unknown, keys: readonly string[]): void {
  const pending = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!isRecord(value)) continue;
    const members = Object.entries(value);
    for (const [, member] of members) pending.push(member);
    if (Array.isArray(value)) continue;
    for (const [numbered] of members) delete (value as Record<string, unknown>)[numbered];
    for (const [numbered, member] of members)
      Object.defineProperty(value, keys[Number(numbered.slice(1))] ?? numbered, {
        value: member,
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
}
