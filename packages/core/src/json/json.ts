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
const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && !fitsDouble(value) && context?.source !== undefined
    ? rawJSON?.(context.source)
    : value;

/**
 * `JSON.parse` that keeps the digits of numbers that a double cannot hold, if the runtime can: such
 * a number becomes a `JSON.rawJSON` value. `stringifyJson` writes it unchanged, so the gate sees
 * what the model wrote.
 */
export function parseJson<Value>(text: string): Value {
  return rawJSON !== undefined && mayHoldLarge.test(text)
    ? JSON.parse(text, keepDigits)
    : JSON.parse(text);
}

/**
 * The text of an input that came as JSON, not as a text that contains JSON.
 * @throws Error if it contains a number that an earlier parser may have rounded: its digits are
 * lost.
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value, refuseRounded);
  } catch (thrown) {
    if (thrown instanceof RangeError) return writeDeep(value);
    throw thrown;
  }
}

function refuseRounded(_: string, value: unknown): unknown {
  if (typeof value === "number" && !fitsDouble(value))
    throw new Error(
      "A tool input holds a number beyond 2^53, which may have been rounded before it was read.",
    );
  return value;
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
  if (typeof value !== "object" || value === null || isRawJSON?.(value))
    return [JSON.stringify(value, refuseRounded)];
  const isList = Array.isArray(value);
  const members = Object.entries(value).flatMap(([key, member], at): readonly Part[] => [
    (at > 0 ? "," : "") + (isList ? "" : `${JSON.stringify(key)}:`),
    { value: member },
  ]);
  return isList ? ["[", ...members, "]"] : ["{", ...members, "}"];
}

/** The value without `JSON.rawJSON` values, which are not plain JSON and cannot be stored. */
export function toPlainJson<Value>(value: Value): Value {
  return isRawJSON !== undefined && containsRaw(value, isRawJSON)
    ? JSON.parse(JSON.stringify(value))
    : value;
}

function containsRaw(root: unknown, isRaw: (value: unknown) => boolean): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (isRaw(value)) return true;
    if (typeof value === "object" && value !== null)
      for (const member of Object.values(value)) pending.push(member);
  }
  return false;
}
