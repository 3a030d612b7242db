import { isObject } from "../util/values.ts";
import { suggestOption } from "./suggest-option.ts";

/** What the value of an option must be. `expected` follows "must be" in an error. */
export interface OptionKind {
  readonly isValid: (value: unknown) => boolean;
  readonly expected: string;
}
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind>>;

export const positiveInteger: OptionKind = {
  isValid: (value) => Number.isInteger(value) && Number(value) >= 1,
  expected: "a whole number, at least 1",
};
export const nonNegativeInteger: OptionKind = {
  isValid: (value) => Number.isInteger(value) && Number(value) >= 0,
  expected: "a whole number, at least 0",
};
export const positiveNumber: OptionKind = {
  isValid: (value) => typeof value === "number" && value > 0,
  expected: "more than 0",
};
export const positiveFiniteNumber: OptionKind = {
  isValid: (value) => Number.isFinite(value) && Number(value) > 0,
  expected: "more than 0",
};
/** Milliseconds that a timer can wait. */
export const timerMs: OptionKind = {
  isValid: (value) => typeof value === "number" && value >= 0 && value < 2 ** 31,
  expected: "between 0 and 2147483647",
};
export const anyText: OptionKind = {
  isValid: (value) => typeof value === "string",
  expected: "a string",
};
export const anyFunction: OptionKind = {
  isValid: (value) => typeof value === "function",
  expected: "a function",
};
export const anyObject: OptionKind = {
  isValid: (value) => isObject(value) && !Array.isArray(value),
  expected: "an object",
};
export const listOf = (items: string): OptionKind => ({
  isValid: Array.isArray,
  expected: `a list of ${items}`,
});
export const oneOf = (...values: readonly string[]): OptionKind => ({
  isValid: (value) => values.some((one) => one === value),
  expected: `one of ${values.map((one) => JSON.stringify(one)).join(", ")}`,
});
export const adapterKind: OptionKind = {
  isValid: (value) => isObject(value) && value["contract"] === 1,
  expected: "an adapter of contract 1, such as `anthropic(model)` returns",
};
/** An object with these methods. */
export const withMethods = (methods: readonly string[], expected: string): OptionKind => ({
  isValid: (value) =>
    isObject(value) && methods.every((method) => typeof value[method] === "function"),
  expected,
});

/**
 * Throws for an unknown option, and for a value of the wrong kind. `parent` is the option that
 * contains these, if there is one.
 */
export function assertOptions<Options extends object>(
  options: Options,
  kinds: OptionKinds<Required<Options>>,
  parent?: string,
): void {
  const known: Readonly<Record<string, OptionKind>> = kinds;
  for (const [name, value] of Object.entries(options)) {
    const path = parent === undefined ? name : `${parent}.${name}`;
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined)
      throw new TypeError(`Unknown option \`${path}\`. ${suggestOption(name, Object.keys(known))}`);
    if (value === undefined || kind.isValid(value)) continue;
    const message = `\`${path}\` must be ${kind.expected}, not ${printable(value)}.`;
    throw typeof value === "number" ? new RangeError(message) : new TypeError(message);
  }
}

/** A value as an error may show it. A long string may be an API key, so it is not shown. */
function printable(value: unknown): string {
  if (typeof value === "string")
    return value.length > 20 ? "another string" : JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : String(value);
}
