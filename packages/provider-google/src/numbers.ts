/** A double holds every integer up to 2^53, and no number beyond 1.8e308. */
const holds = (value: number): boolean => Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/** Not in browsers before 2025. https://tc39.es/proposal-json-parse-with-source/ */
const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

const mayHoldLarge = /\d{16}|\d[eE]\+?\d\d/;
const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && !holds(value) && context?.source !== undefined ? rawJSON?.(context.source) : value;

/** JSON whose large numbers stay as they were written: `jsonOf` writes them so again, and the gate sees what the model said. */
export function parseJson<Value>(text: string): Value {
  return rawJSON !== undefined && mayHoldLarge.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** The text of an input that came as JSON. Whoever parsed it may have rounded large numbers: then nobody can tell any more what the model wrote. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "number" && !holds(inner)) {
      throw new Error("A tool input holds a number beyond 2^53, which may have been rounded on the way.");
    }
    return inner;
  });
