import { isRecord } from "./fields.ts";
import { mapNumbers } from "./numbers.ts";
import { parsePlainJson } from "./parse.ts";

/** Whether a double holds the number: an integer up to 2^53, or any other number up to 1.8e308. */
const fitsDouble = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/**
 * Missing in browsers before 2025 and in Node 20. https://tc39.es/proposal-json-parse-with-source/
 */
const { rawJSON, isRawJSON } = JSON as {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => boolean;
};

/** Sixteen digits, or an exponent: a double may not hold such a number. */
const mayHoldLarge = /[:,[\s]-?(?:\d{16}|[\d.]+[eE])/;

/**
 * `parsePlainJson` that also keeps the digits of numbers that a double cannot hold, if the runtime can: such
 * a number becomes a `JSON.rawJSON` value. `stringifyJson` writes it unchanged, so the gate sees
 * what the model wrote. Without a reviver, because that overflows the stack at some thousand levels.
 */
export function parseJson<Value>(text: string): Value {
  const value: Value = parsePlainJson(text);
  if (rawJSON === undefined || !mayHoldLarge.test(text)) return value;
  const large: unknown[] = [];
  const numbered = mapNumbers(text, (literal) =>
    fitsDouble(Number(literal)) ? literal : String(unsafe * large.push(rawJSON(literal))),
  );
  return large.length === 0 ? value : replaceLarge(parsePlainJson(numbered), large);
}

/** The first integer that is not safe. Its multiples stand for large numbers until they are read. */
const unsafe = 2 ** 53;

function replaceLarge<Value>(parsed: Value, large: readonly unknown[]): Value {
  const root = { value: parsed };
  const pending: object[] = [root];
  for (let holder = pending.pop(); holder !== undefined; holder = pending.pop())
    for (const [key, member] of Object.entries(holder)) {
      if (typeof member === "number" && !fitsDouble(member))
        (holder as Record<string, unknown>)[key] = large[member / unsafe - 1];
      else if (isRecord(member)) pending.push(member);
    }
  return root.value;
}

/**
 * The text of an input that came as JSON, not as a text that contains JSON.
 * @throws Error if it contains a number that an earlier parser may have rounded: its digits are
 * lost.
 */
export function stringifyJson(value: unknown): string {
  if (someValue(value, isRounded))
    throw new Error(
      "A tool input holds a number beyond 2^53, which may have been rounded before it was read.",
    );
  return write(value);
}

const isRounded = (value: unknown): boolean => typeof value === "number" && !fitsDouble(value);

/** The text of an input that some hosts send as JSON, and others as a text that contains JSON. */
export const jsonText = (input: unknown): string =>
  typeof input === "string" ? input : stringifyJson(input);

/** Without a replacer, because that doubles the time. */
function write(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    if (thrown instanceof RangeError) return writeDeep(value);
    throw thrown;
  }
}

/** A piece of JSON, or a value that is not written yet. */
type Part = string | { readonly value: unknown };

/**
 * The same without recursion. `JSON.parse` reads any depth, but `JSON.stringify` overflows the stack
 * at some thousand levels.
 */
function writeDeep(root: unknown): string {
  const pending: Part[] = [{ value: root }];
  let text = "";
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    if (typeof next === "string") text += next;
    else for (const part of jsonParts(next.value).toReversed()) pending.push(part);
  return text;
}

function jsonParts(value: unknown): readonly Part[] {
  if (!isRecord(value) || isRawJSON?.(value)) return [JSON.stringify(value)];
  const isList = Array.isArray(value);
  const members = Object.entries(value).flatMap(([key, member], at): readonly Part[] => [
    (at > 0 ? "," : "") + (isList ? "" : `${JSON.stringify(key)}:`),
    { value: member },
  ]);
  return isList ? ["[", ...members, "]"] : ["{", ...members, "}"];
}

/** The value without `JSON.rawJSON` values, which are not plain JSON and cannot be stored. */
export const toPlainJson = <Value>(value: Value): Value =>
  isRawJSON !== undefined && someValue(value, isRawJSON) ? parsePlainJson(write(value)) : value;

function someValue(root: unknown, matches: (value: unknown) => boolean): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (matches(value)) return true;
    if (isRecord(value)) for (const member of Object.values(value)) pending.push(member);
  }
  return false;
}
