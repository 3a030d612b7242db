import fc from "fast-check";

/** True in one of eight cases. */
export const rarely: fc.Arbitrary<boolean> = fc.integer({ min: 0, max: 7 }).map((n) => n === 7);
export const mostly: fc.Arbitrary<boolean> = rarely.map((is) => !is);

/** One of these texts. One that is written twice comes twice as often. */
export const oneOf = <const Text extends string>(...texts: readonly Text[]): fc.Arbitrary<Text> =>
  fc.constantFrom(...texts);

/** What a gateway leaves under the name of another protocol. */
export const secondWords: fc.Arbitrary<"" | "stop" | "length" | "</end>"> = oneOf(
  "",
  "",
  "",
  "",
  "",
  "stop",
  "length",
  "</end>",
);
export const wordMember = (word: string): { readonly stop_reason?: string } =>
  word === "" ? {} : { stop_reason: word };

/** The values of a generator. */
export type Drawn<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;
