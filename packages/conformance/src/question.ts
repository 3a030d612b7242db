import type { Check } from "./harness/check.ts";

/** How a clause is asked of one kind of subject. */
export interface Question<Asked> {
  /** Why this subject cannot be asked: its wire, its adapter or its requests lack something. `undefined` if it can. */
  whyNotAsked?(harness: Asked): string | undefined;
  /** Tries everything that the clause is about. */
  check(harness: Asked): AsyncIterable<Check>;
}
