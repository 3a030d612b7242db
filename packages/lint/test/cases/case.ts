import type { LintRule } from "../../src/index.ts";

export type Found = readonly [rule: LintRule, at: number, id?: string];
/** A transcript, and the flaws that it has. */
export interface TranscriptCase {
  readonly is: string;
  readonly transcript: unknown;
  readonly finds: readonly Found[];
}

/** A message of a person, in the shapes that have one. */
export const user = { role: "user", content: "Go." };
export const empty: readonly Found[] = [];
/** As the loop writes it after a reply that was cut. */
export const note =
  "Your reply was cut off at the output limit. None of your tool calls (read) ran.";
