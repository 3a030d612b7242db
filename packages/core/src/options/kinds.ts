/** What the value of an option must be. `expected` follows "must be" in an error. */
export interface OptionKind {
  /** Whether the value can work. `undefined` always can. */
  readonly isValid: (value: unknown) => boolean;
  /** Follows "must be" in an error. */
  readonly expected: string;
}
/** The kind of each option. A new option fails to compile until it has one. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

export const anyValue: OptionKind = { isValid: () => true, expected: "a value" };
export const positiveInteger: OptionKind = {
  isValid: (value) => Number.isInteger(value) && Number(value) >= 1,
  expected: "a whole number, at least 1",
};
export const positiveNumber: OptionKind = {
  isValid: (value) => typeof value === "number" && value > 0,
  expected: "more than 0",
};
export const anyText: OptionKind = {
  isValid: (value) => typeof value === "string",
  expected: "a string",
};
export const trueOrFalse: OptionKind = {
  isValid: (value) => typeof value === "boolean",
  expected: "true or false",
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
/** An object with these methods. */
export const withMethods = (methods: readonly string[], expected: string): OptionKind => ({
  isValid: (value) =>
    isObject(value) && methods.every((method) => typeof value[method] === "function"),
  expected,
});
export const abortSignal: OptionKind = withMethods(
  ["addEventListener", "removeEventListener"],
  "an `AbortSignal`",
);
