/** A double holds every integer up to 2^53, and every number up to 1.8e308. */
const holds = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/** Not in browsers before 2025, nor in Node 20. https://tc39.es/proposal-json-parse-with-source/ */
const { rawJSON, isRawJSON } = JSON as {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => boolean;
};

/** The text may hold a number that a double cannot hold: sixteen digits, or an exponent. Numbers stand behind `:`, `,`, `[` or a blank. */
const mayHoldLarge = /[:,[\s]-?(?:\d{16}|[\d.]+[eE])/;
const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && !holds(value) && context?.source !== undefined
    ? rawJSON?.(context.source)
    : value;

/**
 * `JSON.parse` that keeps the digits of numbers which a double cannot hold, where the runtime can: such a number becomes a `JSON.rawJSON` value.
 * `stringifyJson` writes it as it was written, so that the gate sees what the model said.
 */
export function parseJson<Value>(text: string): Value {
  return rawJSON !== undefined && mayHoldLarge.test(text)
    ? JSON.parse(text, keepDigits)
    : JSON.parse(text);
}

/**
 * The text of an input that came as JSON instead of a text that holds JSON.
 * @throws Error if it holds a number that an earlier parser may have rounded: its digits are lost then.
 */
export const stringifyJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "number" && !holds(inner)) {
      throw new Error(
        "A tool input holds a number beyond 2^53, which may have been rounded before it was read.",
      );
    }
    return inner;
  });

/** The same value without `JSON.rawJSON` values, which are not plain JSON: for what is stored. */
export function plain<Value>(value: Value): Value {
  return isRawJSON !== undefined && holdsRaw(value, isRawJSON)
    ? JSON.parse(JSON.stringify(value))
    : value;
}

function holdsRaw(root: unknown, isRaw: (value: unknown) => boolean): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (isRaw(value)) return true;
    if (typeof value === "object" && value !== null)
      for (const member of Object.values(value)) pending.push(member);
  }
  return false;
}
