import fc from "fast-check";

/** True in one of eight cases. */
export const rarely: fc.Arbitrary<boolean> = fc.integer({ min: 0, max: 7 }).map((n) => n === 7);
export const mostly: fc.Arbitrary<boolean> = rarely.map((is) => !is);
