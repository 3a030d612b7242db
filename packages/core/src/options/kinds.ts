import { isFields, isRecord } from "../json/fields.ts";

/** What the value of an option must be. `expected` follows "must be" in an error. */
export interface OptionKind {
  /** Whether the value can work. `undefined` always can. */
  readonly isValid: (value: unknown) => boolean;
  /** Follows "must be" in an error. */
  readonly expected: string;
}
/** The kind of each option. A new option fails to compile until it has one. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind>>;

/** Any value: something else checks it. */
export const anyValue: OptionKind = { isValid: () => true, expected: "a value" };
/** A whole number from 0. */
export const wholeNumber: OptionKind = {
  isValid: (value) => Number.isInteger(value) && Number(value) >= 0,
  expected: "a whole number, at least 0",
};
/** A whole number from 1. */
export const positiveInteger: OptionKind = {
  isValid: (value) => Number.isInteger(value) && Number(value) >= 1,
  expected: "a whole number, at least 1",
};
/** A number above 0, also `Infinity`. */
export const positiveNumber: OptionKind = {
  isValid: (value) => typeof value === "number" && value > 0,
  expected: "more than 0",
};
/** A string, also an empty one. */
export const anyText: OptionKind = {
  isValid: (value) => typeof value === "string",
  expected: "a string",
};
/** A boolean. */
export const trueOrFalse: OptionKind = {
  isValid: (value) => typeof value === "boolean",
  expected: "true or false",
};
/** A function. */
export const anyFunction: OptionKind = {
  isValid: (value) => typeof value === "function",
  expected: "a function",
};
/** An object that is not a list. */
export const anyObject: OptionKind = {
  isValid: isFields,
  expected: "an object",
};
/** A list. `items` names what it holds; they are not checked. */
export const listOf = /* @__NO_SIDE_EFFECTS__ */ (items: string): OptionKind => ({
  isValid: Array.isArray,
  expected: `a list of ${items}`,
});
/** One of these strings. */
export const oneOf = /* @__NO_SIDE_EFFECTS__ */ (...values: readonly string[]): OptionKind => ({
  isValid: (value) => values.some((one) => one === value),
  expected: `one of ${values.map((one) => JSON.stringify(one)).join(", ")}`,
});
/** An object with these methods. */
export const withMethods = /* @__NO_SIDE_EFFECTS__ */ (
  methods: readonly string[],
  expected: string,
): OptionKind => ({
  isValid: (value) =>
    isRecord(value) && methods.every((method) => typeof value[method] === "function"),
  expected,
});
/** An `AbortSignal`, also of another realm. */
export const abortSignal: OptionKind = withMethods(
  ["addEventListener", "removeEventListener"],
  "an `AbortSignal`",
);
